// The whole story in one figure: what each checkpoint of a recipe solves on both domains, which recovery moves it makes, and how
// far its chains go. It takes plain data, so that whoever measures traces can draw it.
import type { PanelsBody } from "../../drawing/item.ts";
import { barsPanel, type DotShape, type Measured, type Panel } from "../../drawing/panel.ts";

export type StoryDomain = {
  /** `(240 problems)`. */
  readonly asked?: string;
  /** pass@k at some k, in ascending order. */
  readonly passAtK: readonly ({ readonly k: number } & Measured)[];
  /** Per trace; absent where traces are not labeled. */
  readonly moves: readonly (Measured | undefined)[];
  readonly depth?: Measured;
};

export type StoryCheckpoint = {
  readonly name: string;
  readonly ink: string;
  readonly symbol?: DotShape;
  /** By the title of its panel: `held-out puzzles`. */
  readonly domains: Readonly<Record<string, StoryDomain>>;
};

export function storyBody(checkpoints: readonly StoryCheckpoint[], moves: readonly string[]): PanelsBody {
  const domains = [...new Set(checkpoints.flatMap((checkpoint) => Object.keys(checkpoint.domains)))];
  const panels = domains.flatMap((domain) => [
    solvedPanel(domain, checkpoints),
    barsPanel("recovery moves per trace", moves, "per trace", checkpoints, ({ domains }) =>
      moves.map((_, i) => domains[domain]?.moves[i]),
    ),
    barsPanel("chain depth", ["longest chain"], "per trace", checkpoints, ({ domains }) => [domains[domain]?.depth]),
  ]);
  const legend = checkpoints.map(({ name, ink, symbol }) => ({ name, ink, symbol }));
  return { kind: "panels", panels, columns: 3, legend };
}

function solvedPanel(domain: string, checkpoints: readonly StoryCheckpoint[]): Panel {
  const lines = checkpoints.flatMap(({ name, ink, symbol, domains }) => {
    const points = domains[domain]?.passAtK.map(({ k, ...measured }) => ({ x: k, ...measured })) ?? [];
    return points.length === 0 ? [] : [{ mark: "line" as const, name, ink, symbol, points }];
  });
  const asked = checkpoints.map(({ domains }) => domains[domain]?.asked).find((one) => one !== undefined);
  const most = Math.max(2, ...lines.flatMap(({ points }) => points.map(({ x }) => x)));
  return {
    title: domain,
    // A panel's title has no room for the number of problems as well.
    x: { kind: "doubling", label: ["k attempts", asked].filter(Boolean).join(" "), domain: [1, most] },
    y: { label: "pass@k", format: "percent", domain: [0, 1] },
    marks: lines,
  };
}
