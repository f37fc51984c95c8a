// A progress bar on standard error, where a person is watching; silence in a pipe or a log.
import { type Options, SingleBar } from "cli-progress";
import pc from "picocolors";

export type Progress = {
  readonly advance: (by?: number) => void;
  /** Said behind the bar, in place of what was said before. */
  readonly note: (text: string) => void;
  readonly stop: () => void;
};

export function progressBar(label: string, total: number, start = 0): Progress {
  if (!process.stderr.isTTY) return { advance: () => {}, note: () => {}, stop: () => {} };
  const options: Options = {
    format: `${label} {bar} {value}/{total} · {eta_formatted} left{note}`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 50,
  };
  const bar = new SingleBar(options);
  bar.start(total, start, { note: "" });
  return {
    advance: (by = 1) => bar.increment(by),
    note: (text) => bar.update({ note: text === "" ? "" : ` · ${text}` }),
    stop: () => bar.stop(),
  };
}

/** Something to know while work goes on; on its own line, where a bar may be drawn. */
export function sayTrouble(message: string): void {
  console.error(pc.yellow(process.stderr.isTTY ? `\n${message}` : message));
}
