// Going from view to view without loading a page: the address is the state, links are real links.
import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useMemo, useSyncExternalStore } from "react";
import { type Address, type QueryChange, readAddress, writeAddress } from "./address.ts";
import { inPage } from "./data/labs.ts";

const changed = "repertoire:address";

const current = (): string => (inPage ? location.hash.slice(1) || "/" : `${location.pathname}${location.search}`);

const hrefOf = (address: string): string => (inPage ? `#${address}` : address);

export function goTo(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", hrefOf(address));
  else history.replaceState(null, "", hrefOf(address));
  window.dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void): () => void {
  const events = ["popstate", "hashchange", changed];
  for (const name of events) window.addEventListener(name, listener);
  return () => {
    for (const name of events) window.removeEventListener(name, listener);
  };
}

export function useAddress(): Address {
  const text = useSyncExternalStore(subscribe, current);
  return useMemo(() => readAddress(text), [text]);
}

/** The query of the view, and a way to change part of it. Filters replace the address, so that Back leaves the view. */
export function useQuery(): [Address["query"], (change: QueryChange, how?: "push" | "replace") => void] {
  const { query } = useAddress();
  const change = useCallback((part: QueryChange, how: "push" | "replace" = "replace") => {
    const { path, query } = readAddress(current());
    goTo(writeAddress(path, { ...query, ...part }), how);
  }, []);
  return [query, change];
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { readonly to: string };

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    goTo(to);
  };
  return <a href={hrefOf(to)} onClick={follow} {...rest} />;
}
