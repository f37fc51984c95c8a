// Ctrl-C, `kill` and a terminal that is closed: the first asks to stop cleanly, the second ends at once.
import { setMaxListeners } from "node:events";
import { isatty } from "node:tty";
import { stopBars } from "./progress.ts";

/** Shells and `timeout` send a signal to a process and again to its group: what comes this soon is the same request. */
const sameRequestMs = 500;

/** What work that was under way ends with when somebody asked to stop: no failure, so no message and no stack. */
export class StoppedByHand extends Error {
  override name = "StoppedByHand";
}

/** What asks to stop, with the exit code by which a shell reports a program that it ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof exitCodes;
const stopSignals = Object.keys(exitCodes) as StopSignal[];

let askedBy: StopSignal = "SIGINT";

export const stoppedExitCode = (): number => exitCodes[askedBy];

/** Returns how to hear no more of them. */
export function onStopSignal(listener: (signal: StopSignal) => void): () => void {
  // Asked now: a terminal that is gone no longer says that it was one.
  const onTerminal = [0, 1, 2].some(isatty);
  const hear = (signal: StopSignal) => {
    // Node gives a terminal its settings back when it exits, and aborts where the terminal is gone.
    if (signal === "SIGHUP" && onTerminal) process.once("exit", () => endAtOnce(signal));
    listener(signal);
  };
  for (const signal of stopSignals) process.on(signal, hear);
  return () => {
    for (const signal of stopSignals) process.off(signal, hear);
  };
}

export function stopOnInterrupt(onStop: () => void): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  // Every request under way listens to it, and many are.
  setMaxListeners(0, stop.signal);
  let askedAt = 0;
  const release = onStopSignal((signal) => {
    if (stop.signal.aborted) {
      if (performance.now() - askedAt > sameRequestMs) endAtOnce(signal);
      return;
    }
    askedAt = performance.now();
    askedBy = signal;
    onStop();
    stop.abort(new StoppedByHand("stopped by hand"));
  });
  return { signal: stop.signal, release };
}

/** Work that Ctrl-C asks to stop, which is said; whatever ends it, its bars end too. */
export async function interruptible<T>(said: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = stopOnInterrupt(() => console.error(said));
  try {
    return await work(signal);
  } finally {
    stopBars();
    release();
  }
}

/** As the signal would have ended it: an orderly exit tears down native threads in the middle of their work, and they abort. */
function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** For servers: resolves at the first signal, which drains; a second one ends at once. */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => void stopOnInterrupt(resolve));
}
