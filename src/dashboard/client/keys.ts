// Keys that a view answers to, and the list of them that the help shows. Whoever types into a field is left alone.
import { useEffect, useRef, useSyncExternalStore } from "react";

type Key = {
  /** As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  readonly about: string;
  readonly run: (key: string) => void;
};

type Group = { readonly title: string; readonly keys: readonly Key[] };

const groups = new Map<symbol, Group>();
const listeners = new Set<() => void>();
let snapshot: readonly Group[] = [];

function tell(): void {
  snapshot = [...groups.values()];
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All keys that work right now, for the help. */
export const useKnownKeys = (): readonly Group[] => useSyncExternalStore(subscribe, () => snapshot);

export function useKeys(title: string, keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map(({ keys, about }) => `${keys.join(" ")}:${about}`).join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the help changes only when names do; what keys run is always the latest
  useEffect(() => {
    const own = Symbol(title);
    groups.set(own, { title, keys: latest.current });
    tell();
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const key = latest.current.find(({ keys }) => keys.includes(event.key));
      if (key === undefined) return;
      event.preventDefault();
      key.run(event.key);
    };
    window.addEventListener("keydown", listen);
    return () => {
      window.removeEventListener("keydown", listen);
      groups.delete(own);
      tell();
    };
  }, [title, names]);
}

/** Fields take letters, dialogs everything, and whatever can be pressed its own Enter and Space. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("input:not([type=checkbox],[type=radio]), textarea, select, dialog") !== null) return true;
  const presses = event.key === "Enter" || event.key === " ";
  return presses && target.closest("a, button, summary, [role=slider]") !== null;
}
