// What the server tells while a run grows. One connection for the whole page, kept as long as somebody listens.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { LiveEvent } from "../../api.ts";
import { inPage, tellNewsTo } from "./labs.ts";

type Listener = (event: LiveEvent | { readonly type: "connected" }) => void;

const listeners = new Set<Listener>();
const connectionListeners = new Set<() => void>();
let source: EventSource | undefined;
let connection: "open" | "lost" = "open";

function setConnection(next: typeof connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of connectionListeners) listener();
}

function connect(): void {
  if (source !== undefined || inPage || document.hidden) return;
  source = new EventSource("/api/events");
  source.onopen = () => {
    setConnection("open");
    // Whatever happened before was not told, not even the first time: everybody asks again.
    for (const listener of listeners) listener({ type: "connected" });
  };
  source.onerror = () => {
    setConnection("lost");
    // The browser tries again by itself unless it was refused outright.
    if (source?.readyState !== EventSource.CLOSED) return;
    source = undefined;
    setTimeout(connect, 3000);
  };
  source.onmessage = (message) => {
    const event: LiveEvent = JSON.parse(message.data);
    for (const listener of listeners) listener(event);
  };
}

if (inPage)
  tellNewsTo((event) => {
    for (const listener of listeners) listener(event);
  });

// A browser has six connections to a server for all its tabs together: those that nobody looks at give theirs back, and
// ask again when they are looked at.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    if (listeners.size > 0) connect();
    return;
  }
  source?.close();
  source = undefined;
});

export function useLive(listener: Listener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const own: Listener = (event) => latest.current(event);
    listeners.add(own);
    connect();
    return () => {
      listeners.delete(own);
    };
  }, []);
}

/** Lost: the server went away; the browser keeps trying. */
export function useConnection(): "open" | "lost" {
  return useSyncExternalStore(
    (listener) => {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    () => connection,
  );
}

/** A count that goes up, at most once in `pause` milliseconds, whenever an event concerns the caller. */
export function useLiveCount(concerns: (event: LiveEvent) => boolean, pause = 400): number {
  const [count, setCount] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive((event) => {
    if (event.type !== "connected" && !concerns(event)) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setCount((before) => before + 1);
    }, pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return count;
}
