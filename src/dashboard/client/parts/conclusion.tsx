// What a run comes to, in three sentences, each beside what shows it; and what should worry whoever trains.

import { visibleText } from "../../../drawing/safe-text.ts";
import { displayName } from "../../../runs/recipe-names.ts";
import type { ItemsReply } from "../../api.ts";
import { showItem } from "./items.tsx";

export function Conclusion({ conclusion, about, sections }: Pick<ItemsReply, "conclusion" | "about" | "sections">) {
  if (conclusion.length === 0) return null;
  const titles = new Map(sections.flatMap(({ items }) => items.map(({ id, title }) => [id, title] as const)));
  return (
    <section className="conclusion" aria-label="What happened">
      <ol>
        {conclusion.map(({ words, evidence }) => (
          <li key={words}>
            {visibleText(words)}{" "}
            <small className="row">
              {evidence.map((id) => (
                <button key={id} type="button" className="link" onClick={() => showItem(id)}>
                  {visibleText(titles.get(id) ?? id)}
                </button>
              ))}
            </small>
          </li>
        ))}
      </ol>
      {about !== undefined && <p className="quiet">{visibleText(about)}.</p>}
    </section>
  );
}

export function Alarms({ alarms, running }: Pick<ItemsReply, "alarms"> & { readonly running: boolean }) {
  if (alarms.length === 0) return null;
  return (
    <ul className="alarms" role={running ? "alert" : undefined} aria-label="Alarms">
      {alarms.map(({ series, about, step, words }) => (
        <li key={`${series} ${about}`}>
          <span aria-hidden="true">▲</span>{" "}
          <b>
            {series === "training" ? "" : `${visibleText(displayName(series))}, `}step {step}
          </b>{" "}
          {visibleText(words)}
        </li>
      ))}
    </ul>
  );
}
