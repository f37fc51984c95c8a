// Ctrl-C: the first asks to stop cleanly, the second ends at once.

/** What work that was under way ends with when somebody asked to stop: no failure, so no message and no stack. */
export class StoppedByHand extends Error {
  override name = "StoppedByHand";
}

export function stopOnInterrupt(onStop: () => void): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
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

/** For servers: resolves at the first signal, which drains; a second one ends at once. */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => void stopOnInterrupt(resolve));
}
