// How motifs differ between checkpoints.
import type { MotifRow, MotifsReply } from "../../api.ts";

/** `×3.4`, or what there is to say where one of the two never shows it or is not known. */
export function changeText(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return "–";
  if (before === 0 && after === 0) return "–";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  const ratio = after / before;
  return `×${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(ratio >= 1 ? 1 : 2)}`;
}

/** Half an occurrence is added to both, so that what was seen once does not beat what was seen a thousand times. */
export function rise(
  row: MotifRow,
  sources: MotifsReply["sources"],
  [first, second]: readonly [number, number],
): number {
  const rate = (at: number) => (row.rates[at]?.rate ?? 0) + 0.5 / Math.max(1, sources[at].traces);
  return Math.log(rate(second) / rate(first));
}
