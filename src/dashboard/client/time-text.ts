// Moments as people say them.

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** `3 minutes ago`; beyond a fortnight the date. */
export function agoText(iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return "–";
  const seconds = (then - now) / 1000;
  if (Math.abs(seconds) > 14 * 86_400) return iso.slice(0, 10);
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return Math.abs(seconds) < 60 ? "just now" : relative.format(Math.round(seconds / size), unit);
}
