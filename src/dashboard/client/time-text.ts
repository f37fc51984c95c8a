// Moments as people say them.

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** `40 s`, `12 min`, `3 h 20 min`, `2 days`. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (minutes < 90) return `${minutes} min`;
  if (minutes < 36 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1440)} days`;
}

/** `3 minutes ago`; beyond a fortnight the date. */
export function agoText(iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return "–";
  const seconds = (then - now) / 1000;
  if (Math.abs(seconds) > 14 * 86_400) return iso.slice(0, 10);
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return Math.abs(seconds) < 60 ? "just now" : relative.format(Math.round(seconds / size), unit);
}
