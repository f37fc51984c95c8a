// Progress on standard error: a bar where a person is watching, and a line now and then in a pipe or a log, so that a long
// silence has an end and says how long it will go on.
import { type Options, SingleBar } from "cli-progress";
import pc from "picocolors";

export type Progress = {
  readonly advance: (by?: number) => void;
  /** Said behind the bar, in place of what was said before. */
  readonly note: (text: string) => void;
  readonly stop: () => void;
};

/** Bars on the screen. */
const drawn = new Set<SingleBar>();

/** For work that ends before its bar does. */
export function stopBars(): void {
  for (const bar of drawn) bar.stop();
  drawn.clear();
}

export function progressBar(label: string, total: number, start = 0): Progress {
  if (!process.stderr.isTTY) return progressLines(label, total, start);
  const options: Options = {
    format: `${label} {bar} {value}/{total} · {eta_formatted} left{note}`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 50,
  };
  const bar = new SingleBar(options);
  bar.start(total, start, { note: "" });
  drawn.add(bar);
  return {
    advance: (by = 1) => bar.increment(by),
    note: (text) => bar.update({ note: text === "" ? "" : ` · ${text}` }),
    stop: () => {
      if (drawn.delete(bar)) bar.stop();
    },
  };
}

/** What is over sooner says nothing but its end. */
const quietSeconds = 10;
const secondsBetweenLines = 30;

export function progressLines(
  label: string,
  total: number,
  start = 0,
  say: (line: string) => void = (line) => console.error(pc.dim(line)),
  seconds: () => number = () => performance.now() / 1000,
): Progress {
  const began = seconds();
  let next = began + quietSeconds;
  let done = start;
  let note = "";
  /** How long the whole takes, as of the last time that something of it was done. */
  let ends = Number.NaN;
  const emit = (now: number) => {
    if (now < next || done >= total) return;
    next = now + secondsBetweenLines;
    const about = Number.isFinite(ends) ? ` · ${duration(Math.max(0, ends - now))} left` : "";
    say(`  ${label.trim()}: ${Math.floor(done)} of ${total}${about}${note}`);
  };
  return {
    advance: (by = 1) => {
      done += by;
      const now = seconds();
      if (done > start) ends = now + ((total - done) * (now - began)) / (done - start);
      emit(now);
    },
    note: (text) => {
      note = text === "" ? "" : ` · ${text}`;
      emit(seconds());
    },
    stop: () => {},
  };
}

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h` */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Something to know while work is under way; on a line of its own where a bar is drawn. */
export function warn(message: string): void {
  console.error(pc.yellow(drawn.size > 0 ? `\n${message}` : message));
}
