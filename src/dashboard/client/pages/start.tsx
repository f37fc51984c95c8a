// Where a page that needs no server begins: drop rollouts, see what their model does. What came with the page is shown
// below, so that there is something to see at once.
import { type ChangeEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { GivenFile } from "../../page/messages.ts";
import {
  fromAddress,
  fromDrop,
  fromList,
  fromText,
  giftsOf,
  mostBytes,
  nameOfAddress,
  refusalOf,
} from "../data/given.ts";
import { closeLab, onOpenings, openingsNow, openLab, preloadedRun } from "../data/labs.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { goTo, Link } from "../navigation.tsx";
import { Waiting } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { Results } from "./run.tsx";
import { RunList } from "./runs.tsx";

/** Opens what was given, and goes where the first of it can be looked at. */
async function open(files: readonly GivenFile[]): Promise<readonly string[]> {
  const gifts = giftsOf(files);
  const refusals = gifts.flatMap((gift) => refusalOf(gift) ?? []);
  const accepted = gifts.filter((gift) => refusalOf(gift) === undefined);
  if (gifts.length === 0) return ["there is nothing in it that can be read"];
  const begun = location.hash;
  const opened = accepted.map(({ name, files }) => openLab(name, Promise.resolve(files)));
  void Promise.any(opened.map(async (one) => (await one) ?? Promise.reject(new Error("not opened")))).then(
    (name) => {
      // Somebody who went elsewhere meanwhile stays there.
      if (location.hash === begun) goTo(addressOf.run(name));
    },
    () => {},
  );
  return refusals;
}

export function StartPage() {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [text, setText] = useState("");
  const [filesId, folderId, textId] = [useId(), useId(), useId()];
  const give = async (files: Promise<readonly GivenFile[]>) => {
    setRefusals([]);
    try {
      setRefusals(await open(await files));
    } catch (error) {
      setRefusals([error instanceof Error ? error.message : String(error)]);
    }
  };
  const over = useDrop((dropped) => give(fromDrop(dropped)));
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = fromList(target.files ?? []);
    target.value = "";
    if (files.length > 0) void give(Promise.resolve(files));
  };
  return (
    <div className="page start">
      <h1>What does your model do when it reasons?</h1>
      <p className="lead">
        Drop rollouts: what changed between checkpoints is said in sentences, figures and traces, each with its
        uncertainty. <b>Nothing leaves this machine</b>: files are read in this tab, which may connect to nowhere.
      </p>
      <div className={over ? "drop over" : "drop"}>
        <p className="row">
          <span>
            <b>Drop files or a folder here</b>, or
          </span>
          <label className="button" htmlFor={filesId}>
            choose files
            <input id={filesId} type="file" multiple className="for-readers" onChange={chosen} />
          </label>{" "}
          <label className="button" htmlFor={folderId}>
            choose a folder
            <input
              id={folderId}
              type="file"
              className="for-readers"
              ref={(input) => input?.setAttribute("webkitdirectory", "")}
              onChange={chosen}
            />
          </label>
        </p>
        <p className="quiet">
          JSON lines and JSON, also as .gz or .zst; CSV, Parquet, Inspect’s .eval; dumps of verl, TRL, prime-rl and
          others; a run folder. Several files are several checkpoints, in the order of their names. Up to{" "}
          {mostBytes >> 20} MB.
        </p>
        <details>
          <summary>Paste</summary>
          <label htmlFor={textId} className="for-readers">
            Rollouts as text
          </label>
          <textarea
            id={textId}
            rows={5}
            placeholder={'{"problem": "p1", "response": "…", "correct": true}'}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <button
            type="button"
            disabled={text.trim() === ""}
            onClick={() => give(Promise.resolve([fromText(text)])).then(() => setText(""))}
          >
            Read
          </button>
        </details>
      </div>
      {refusals.map((refusal) => (
        <p key={refusal} className="problem" role="alert">
          {visibleText(refusal)}
        </p>
      ))}
      <Openings />
      <RunsHere />
    </div>
  );
}

/** What can be looked at: what was dropped, and what came with the page, which is shown at once. */
function RunsHere() {
  const changes = useLiveCount(({ type }) => type === "runs", 100);
  const { reply } = useReply("runs", {}, { version: changes, meanwhile: "earlier" });
  const runs = reply?.runs ?? [];
  const coming = preloadedRun !== undefined && runs.length === 0;
  return (
    <>
      {coming && <Waiting>Opening {preloadedRun} …</Waiting>}
      {runs.length > 0 && (
        <section aria-labelledby="runs-here">
          <h2 id="runs-here">In this page</h2>
          <RunList runs={runs} />
        </section>
      )}
      {runs.some(({ id }) => id === preloadedRun) && (
        <p>
          <Link to={addressOf.puzzles()}>Play its boards</Link>, beside what its models did on them.
        </p>
      )}
      {runs.some(({ id }) => id === preloadedRun) && <Results run={preloadedRun!} state="finished" />}
    </>
  );
}

function useDrop(take: (dropped: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const drag = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type === "drop" && event.dataTransfer !== null) latest.current(event.dataTransfer);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    window.addEventListener("dragover", drag);
    window.addEventListener("drop", drag);
    window.addEventListener("dragleave", leave);
    return () => {
      window.removeEventListener("dragover", drag);
      window.removeEventListener("drop", drag);
      window.removeEventListener("dragleave", leave);
    };
  }, []);
  return over;
}

function Openings() {
  const openings = useSyncExternalStore(onOpenings, openingsNow);
  const shown = openings.filter(({ name, failure }) => name !== preloadedRun || failure !== undefined);
  return shown.map(({ name, progress, failure }) => (
    <div key={name} className={failure === undefined ? "row opening" : "row opening problem"}>
      <p role={failure === undefined ? "status" : "alert"}>
        <b>{visibleText(name)}</b>: {failure === undefined ? (progress?.doing ?? "opening") : visibleText(failure)}
        {failure === undefined && " …"}
      </p>
      {failure === undefined && (
        <meter min={0} max={Math.max(1, progress?.of ?? 1)} value={progress?.done ?? 0} aria-label={`${name}: done`} />
      )}
      <button type="button" onClick={() => closeLab(name)}>
        {failure === undefined ? "Cancel" : "Close"}
      </button>
    </div>
  ));
}

/** What an address names after `?url=` is opened once, when the page is. */
export async function openAddressed(address: string): Promise<void> {
  const gift = fromAddress(address).then((file) => [file]);
  const opened = await openLab(nameOfAddress(address).replace(/(?<=.)\..*$/, ""), gift);
  if (opened !== undefined && location.hash.length <= 2) goTo(addressOf.run(opened));
}
