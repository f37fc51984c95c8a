// Ctrl-C: the first asks to stop cleanly, the second ends at once.
import { setMaxListeners } from "node:events";
import { stopBars } from "./progress.ts";

/** Shells and `timeout` send a signal to a process and again to its group: what comes this soon is the same request. */
const sameRequestMs = 500;

/** What work that was under way ends with when somebody asked to stop: no failure, so no message and no stack. */
export class StoppedByHand extends Error {
  override name = "StoppedByHand";
}

let askedBy: NodeJS.Signals = "SIGINT";

/** As a shell reports a program that this signal ended. */
export const stoppedExitCode = (): number => (askedBy === "SIGTERM" ? 143 : 130);

export function stopOnInterrupt(onStop: () => void): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  // Every request under way listens to it, and many are.
  setMaxListeners(0, stop.signal);
  let askedAt = 0;
  const interrupt = (signal: NodeJS.Signals) => {
    if (stop.signal.aborted) {
      if (performance.now() - askedAt > sameRequestMs) endAtOnce(signal);
      return;
    }
    askedAt = performance.now();
    askedBy = signal;
    onStop();
    stop.abort(new StoppedByHand("stopped by hand"));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    signal: stop.signal,
    release: () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
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
