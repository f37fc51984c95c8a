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

/** Down and up a list, and into what is chosen there: the same keys wherever something is listed. */
export function useListKeys(
  title: string,
  what: string,
  {
    length,
    current,
    move,
    open,
  }: {
    readonly length: number;
    readonly current: number;
    /** To another place of the list. */
    readonly move: (to: number) => void;
    readonly open: (at: number) => void;
  },
  others: readonly Key[] = [],
): void {
  const to = (place: number) => length > 0 && move(Math.max(0, Math.min(length - 1, place)));
  useKeys(title, [
    { keys: ["j", "ArrowDown"], about: `next ${what}`, run: () => to(current + 1) },
    { keys: ["k", "ArrowUp"], about: `previous ${what}`, run: () => to(current - 1) },
    { keys: ["PageDown"], about: "a page down", run: () => to(current + 20) },
    { keys: ["PageUp"], about: "a page up", run: () => to(current - 20) },
    { keys: ["Home"], about: "first", run: () => to(0) },
    { keys: ["End"], about: "last", run: () => to(length - 1) },
    { keys: ["Enter"], about: "open it", run: () => length > 0 && open(current) },
    ...others,
  ]);
}

/** For lists that are all on the page: the browser's own focus goes from link to link, so that whoever listens hears each. */
export function useLinkKeys(title: string, what: string, links: string): void {
  const go = (by: number) => {
    const all = [...document.querySelectorAll<HTMLElement>(links)];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  };
  useKeys(title, [
    { keys: ["j", "ArrowDown"], about: `next ${what}`, run: () => go(1) },
    { keys: ["k", "ArrowUp"], about: `previous ${what}`, run: () => go(-1) },
    { keys: ["Enter"], about: "open it", run: () => undefined },
  ]);
}

/** Fields take letters, dialogs everything, and whatever can be pressed its own Enter and Space. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("input:not([type=checkbox],[type=radio]), textarea, select, dialog") !== null) return true;
  const presses = event.key === "Enter" || event.key === " ";
  return presses && target.closest("a, button, summary, [role=slider]") !== null;
}
