// The keys that work in the view at hand, over it.
import { useEffect, useRef } from "react";
import { visibleText } from "../../drawing/safe-text.ts";
import { useKnownKeys } from "./keys.ts";
import { useLabels } from "./labels.tsx";
import { PrimitiveMark } from "./parts/marks.tsx";

const shownKeys: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
};

export function Help({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const groups = useKnownKeys();
  const { all } = useLabels();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="help" onClose={onClose} aria-labelledby="help-title">
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="plain" onClick={onClose} aria-label="Close">
          ×
        </button>
      </header>
      {[...groups].reverse().map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(({ keys, about }) => (
              <div key={about}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{shownKeys[key] ?? key}</kbd>
                  ))}
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <section>
        <h3>The primitives</h3>
        <ul className="primitive-key">
          {all.map(({ name, meaning }) => (
            <li key={name}>
              <PrimitiveMark of={name} long />
              <span className="quiet">{visibleText(meaning)}</span>
            </li>
          ))}
        </ul>
      </section>
    </dialog>
  );
}
