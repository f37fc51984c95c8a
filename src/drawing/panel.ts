// What a figure shows, as plain data: panels with axes and marks. Whoever measures makes them; whoever draws knows nothing else.

export type Measured = { readonly value: number; readonly low?: number; readonly high?: number };

export type NumberFormat = "plain" | "percent";

export const plainNumber = (value: number): string =>
  Math.abs(value) >= 1000
    ? value.toFixed(0)
    : String(
        Number(
          value.toFixed(
            Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 || value === 0 ? 2 : 4,
          ),
        ),
      );
export const percent = (value: number): string => `${Number((100 * value).toFixed(1))}%`;

export const numberFormats: Readonly<Record<NumberFormat, (value: number) => string>> = { plain: plainNumber, percent };

export type DotShape = "circle" | "square" | "triangle" | "diamond" | "cross";
export const symbols: readonly DotShape[] = ["circle", "square", "triangle", "diamond", "cross"];

export type LineMark = {
  readonly mark: "line";
  readonly ink: string;
  readonly name: string;
  /** With bands where they have intervals. */
  readonly points: readonly ({ readonly x: number } & Measured)[];
  readonly symbol?: DotShape;
  readonly dash?: string;
  /** One of many behind their mean. */
  readonly faint?: boolean;
};

type BarsMark = {
  readonly mark: "bars";
  /** One value for each name on the x axis; null is shown as missing, never as zero. */
  readonly series: readonly {
    readonly ink: string;
    readonly name: string;
    readonly values: readonly (Measured | null)[];
    readonly hollow?: boolean;
  }[];
};

export type DotsMark = {
  readonly mark: "dots";
  readonly ink: string;
  readonly points: readonly { readonly x: Measured; readonly y: Measured; readonly title: string }[];
  readonly symbol?: DotShape;
  readonly hollow?: boolean;
};

export type Mark = LineMark | BarsMark | DotsMark | { readonly mark: "diagonal" };

type Axis =
  | {
      readonly kind: "linear";
      readonly label: string;
      readonly domain?: readonly [number, number];
      readonly format?: NumberFormat;
      /** Steps of training, which all charts of a page show the same part of. */
      readonly steps?: true;
    }
  | { readonly kind: "doubling"; readonly label: string; readonly domain: readonly [number, number] }
  | { readonly kind: "categories"; readonly label?: string; readonly names: readonly string[] };

export const trainingSteps: Axis = { kind: "linear", label: "training step", steps: true };

export type Panel = {
  readonly title: string;
  readonly x: Axis;
  readonly y: {
    readonly label: string;
    readonly domain?: readonly [number, number];
    readonly format?: NumberFormat;
    readonly fromZero?: boolean;
    /** Logarithmic; all values are above zero. */
    readonly log?: boolean;
  };
  readonly marks: readonly Mark[];
};

export type LegendEntry = {
  readonly name: string;
  readonly ink: string;
  readonly symbol?: DotShape;
  readonly hollow?: boolean;
};

/** How something is drawn, the same in every figure. */
export type Look = { readonly name: string; readonly ink: string; readonly symbol: DotShape; readonly dash?: string };

/** `7×7` from `7x7`, wherever it stands. */
export const withTimes = (text: string): string => text.replace(/(\d)x(\d)/g, "$1×$2");

/** Bars side by side at each name: what `valuesOf` says of each that is shown. */
export function barsPanel<Shown extends Pick<LegendEntry, "name" | "ink" | "hollow">>(
  title: string,
  names: readonly string[],
  label: string,
  shown: readonly Shown[],
  valuesOf: (one: Shown, i: number) => readonly (Measured | undefined)[],
): Panel {
  const series = shown.map((one, i) => ({
    ...{ name: one.name, ink: one.ink, values: valuesOf(one, i).map((value) => value ?? null) },
    ...(one.hollow && { hollow: true }),
  }));
  return { title, x: { kind: "categories", names }, y: { label, fromZero: true }, marks: [{ mark: "bars", series }] };
}
