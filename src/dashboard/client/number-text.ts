// Numbers as people read them: short, and the same everywhere.

export function compactNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  // What arithmetic leaves of a zero.
  if (size < 1e-12) return "0";
  if (size >= 1e6) return `${trimmed(value / 1e6, 1)}M`;
  if (size >= 1e4) return `${trimmed(value / 1e3, 1)}k`;
  if (Number.isInteger(value)) return String(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return trimmed(value, 1);
  if (size >= 1) return trimmed(value, 2);
  if (size >= 0.001) return trimmed(value, size >= 0.1 ? 3 : 4);
  return value.toExponential(1);
}

const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** To the digit that the terminal and the report print. */
export { percent } from "../../drawing/panel.ts";

/** A difference of two shares in percentage points, with the sign that tells its direction. */
export const points = (difference: number): string =>
  `${difference > 0 ? "+" : difference < 0 ? "−" : ""}${trimmed(Math.abs(difference) * 100, 1)}`;

export const wholeNumber = (value: number): string => value.toLocaleString("en-US");

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${trimmed(bytes / 1024, 0)} KB`;
  return `${trimmed(bytes / 1024 ** 2, 1)} MB`;
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? noun : plural}`;
}
