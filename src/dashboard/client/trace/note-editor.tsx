// What a reader writes on a trace: a bookmark, tags, a note. Kept when a field is left, in a file beside the run.
import { useEffect, useId, useRef, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { TraceReply } from "../../api.ts";
import { inPage } from "../data/labs.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { failureOf, writeNote } from "../data/source.ts";
import { forgetReplies, useReply } from "../data/use-reply.ts";
import { useKeys } from "../keys.ts";

type Note = { readonly text: string; readonly tags: readonly string[]; readonly bookmarked: boolean };

const nothing: Note = { text: "", tags: [], bookmarked: false };

const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((tag) => tag.trim().replace(/\s+/g, " ").slice(0, 60))
      .filter((tag) => tag !== ""),
  ),
];

export function NoteEditor({ trace }: { readonly trace: TraceReply }) {
  const { run } = useShownRun();
  const { source, row } = trace.rollout;
  const [kept, setKept] = useState<Note>(trace.rollout.note ?? nothing);
  const [text, setText] = useState(kept.text);
  const [tags, setTags] = useState(kept.tags.join(", "));
  const [said, setSaid] = useState<string>();
  const { reply } = useReply("notes", { run });
  const [noteId, tagsId, listId] = [useId(), useId(), useId()];
  const unsaved = useRef<Note>(undefined);
  const known = [...new Set((reply?.notes ?? []).flatMap((note) => note.tags))].sort();

  const keep = async (next: Note) => {
    unsaved.current = undefined;
    if (JSON.stringify(next) === JSON.stringify(kept)) return;
    setKept(next);
    try {
      const { file } = await writeNote({ run, source, row, ...next });
      for (const route of ["notes", "trace", "problem"] as const) forgetReplies(route);
      setSaid(`kept in ${file}`);
    } catch (error) {
      setSaid(`not kept: ${failureOf(error).message}`);
    }
  };
  const latest = useRef(keep);
  latest.current = keep;
  // Whoever goes on to the next trace with a key has not left the field.
  useEffect(
    () => () => {
      if (unsaved.current !== undefined) void latest.current(unsaved.current);
    },
    [],
  );
  const mark = () => keep({ ...kept, bookmarked: !kept.bookmarked });
  useKeys("Notes", [
    { keys: ["b"], about: "bookmark this trace, or take it back", run: inPage ? () => undefined : mark },
    { keys: ["w"], about: "write a note", run: () => document.getElementById(noteId)?.focus() },
  ]);

  if (inPage) {
    if (kept === nothing) return null;
    return (
      <section className="notes" aria-label="Notes">
        {kept.bookmarked && <p>★ bookmarked</p>}
        {kept.tags.length > 0 && <p>{kept.tags.map(visibleText).join(", ")}</p>}
        {kept.text !== "" && <p className="note-text">{visibleText(kept.text)}</p>}
      </section>
    );
  }
  return (
    <section className="notes" aria-label="Notes">
      <p>
        <button type="button" aria-pressed={kept.bookmarked} onClick={mark}>
          <span aria-hidden="true">{kept.bookmarked ? "★" : "☆"}</span> Bookmark
        </button>{" "}
        <small className="quiet" role="status">
          {said !== undefined && visibleText(said)}
        </small>
      </p>
      <span className="field">
        <label htmlFor={tagsId}>tags, with commas between them</label>
        <input
          id={tagsId}
          value={tags}
          list={listId}
          autoComplete="off"
          onChange={(event) => {
            setTags(event.target.value);
            unsaved.current = { ...kept, text: text.trim(), tags: tagsOf(event.target.value) };
          }}
          onBlur={() => keep({ ...kept, text: text.trim(), tags: tagsOf(tags) })}
          onKeyDown={(event) => {
            if (event.key === "Enter") void keep({ ...kept, text: text.trim(), tags: tagsOf(tags) });
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </span>
      <datalist id={listId}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <span className="field">
        <label htmlFor={noteId}>note</label>
        <textarea
          id={noteId}
          rows={3}
          value={text}
          maxLength={20_000}
          onChange={(event) => {
            setText(event.target.value);
            unsaved.current = { ...kept, text: event.target.value.trim(), tags: tagsOf(tags) };
          }}
          onBlur={() => keep({ ...kept, text: text.trim(), tags: tagsOf(tags) })}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </span>
    </section>
  );
}
