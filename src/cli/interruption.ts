// Ctrl-C: the first asks to stop cleanly, the second ends at once.

export function stopOnInterrupt(onStop: () => void): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    onStop();
    stop.abort(new Error("stopped by hand"));
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
