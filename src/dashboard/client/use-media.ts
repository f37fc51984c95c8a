// Whether a media query holds, now and after every change.
import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  const media = matchMedia(query);
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => media.matches,
  );
}
