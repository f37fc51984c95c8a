// A part of the page that scrolls by itself: it has a name and can be reached, and so scrolled, with the keyboard.
import type { ReactNode, Ref } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";

export function Scrolling({
  name,
  className = "scroller",
  frame,
  children,
}: {
  readonly name: string;
  readonly className?: string;
  readonly frame?: Ref<HTMLElement>;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={`scrolling ${className}`} ref={frame} tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}

/** Text as it is, in its own lines. */
export function Verbatim({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Scrolling name={name} className="verbatim">
      <pre>{visibleText(text)}</pre>
    </Scrolling>
  );
}
