// Where judges disagree, one span at a time: a key gives it a label, the server writes it down, undo takes it back.
import { useRef, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { Disagreement, JuryReply } from "../../api.ts";
import { inPage } from "../data/labs.ts";
import { relabel } from "../data/source.ts";
import { forgetReplies, useReply } from "../data/use-reply.ts";
import { useKeys, useLinkKeys } from "../keys.ts";
import type { LabelLook } from "../label-looks.ts";
import { useLabels } from "../labels.tsx";
import { Link, useQuery } from "../navigation.tsx";
import { compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { Check } from "../parts/fields.tsx";
import { Name, PrimitiveMark } from "../parts/marks.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { When } from "../parts/when.tsx";
import { addressOf } from "../routes.ts";

export function JudgesPage() {
  const asked = useReply("runs", {});
  useLinkKeys("Judges", "jury", ".runs h2 a");
  return (
    <div className="page">
      <h1>Judges</h1>
      <Answered asked={asked}>
        {({ juries }) =>
          juries.length === 0 ? (
            <Nothing title={inPage ? "Juries are not part of a page" : "No jury has sat yet"}>
              <p>A jury of language models labels the same spans; where its judges differ, a person decides here.</p>
              <pre>
                repertoire traces judge rollouts.jsonl --judge a@http://localhost:8000/v1 --judge
                b@http://localhost:8001/v1 --out runs/jury
              </pre>
            </Nothing>
          ) : (
            <ul className="runs">
              {juries.map((jury) => (
                <li key={jury.id} className="run-item">
                  <div className="run-line">
                    <h2>
                      <Link to={addressOf.jury(jury.id)}>
                        <Name>{jury.name}</Name>
                      </Link>
                    </h2>
                    <span>{counted(jury.disagreements, "disagreement")}</span>
                    <span className="quiet">{wholeNumber(jury.relabeled)} decided</span>
                    {jury.spans !== undefined && <span className="quiet">of {counted(jury.spans, "span")}</span>}
                    <span className="run-when quiet">
                      <When at={jury.created} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </div>
  );
}

export function JuryPage({ jury }: { readonly jury: string }) {
  const asked = useReply("jury", { jury });
  return (
    <div className="page">
      <p className="up">
        <Link to={addressOf.judges()}>Judges</Link>
      </p>
      <h1>
        <Name>{jury}</Name>
      </h1>
      <Answered asked={asked}>
        {(reply) => (
          <>
            <Agreement reply={reply} />
            <Gaps gaps={reply.gaps} />
            {reply.queue.length === 0 ? (
              <Nothing title="The judges agree on every span">
                <p>There is nothing to decide.</p>
              </Nothing>
            ) : (
              <Queue key={jury} jury={jury} reply={reply} />
            )}
          </>
        )}
      </Answered>
    </div>
  );
}

function Agreement({ reply }: { readonly reply: JuryReply }) {
  return (
    <dl className="facts" aria-label="How far the judges agree">
      {reply.percent !== undefined && (
        <div>
          <dt>agreement</dt>
          <dd>{percent(reply.percent / 100)}</dd>
        </div>
      )}
      {reply.fleissKappa !== undefined && (
        <div>
          <dt>Fleiss’ kappa</dt>
          <dd>{compactNumber(reply.fleissKappa)}</dd>
        </div>
      )}
      {reply.pairs.length > 1 &&
        reply.pairs.map(({ judges, percent: agree, kappa }) => (
          <div key={judges.join(" ")}>
            <dt>
              <Name>{judges.join(" · ")}</Name>
            </dt>
            <dd>
              {agree === undefined ? "no common span" : percent(agree / 100)}
              {kappa !== undefined && <small className="quiet"> kappa {compactNumber(kappa)}</small>}
            </dd>
          </div>
        ))}
    </dl>
  );
}

type Decision = string | null;

/** Its letter, and its number as far as there are digits. */
const keysOf = ({ letter }: LabelLook, i: number): string[] => [
  letter.toLowerCase(),
  ...(i < 9 ? [String(i + 1)] : []),
];

function Queue({ jury, reply }: { readonly jury: string; readonly reply: JuryReply }) {
  const [query, change] = useQuery();
  const { all } = useLabels();
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(
    () => new Map(reply.queue.map(({ id, relabel }) => [id, relabel ?? null])),
  );
  const undoable = useRef<{ readonly span: string; readonly before: Decision }[]>([]);
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<string>();
  const openOnly = query.open === "yes";
  const queue = reply.queue.filter(({ id }) => !openOnly || decisions.get(id) === null || id === query.span);
  const found = queue.findIndex(({ id }) => id === query.span);
  const at = Math.max(0, found);
  const item = queue[at] as Disagreement | undefined;
  const decided = [...decisions.values()].filter((decision) => decision !== null).length;

  const show = (index: number) => {
    const next = queue[Math.max(0, Math.min(queue.length - 1, index))];
    if (next !== undefined) change({ span: next.id });
  };
  const write = async (span: string, decision: Decision, before: Decision) => {
    setDecisions((all) => new Map(all).set(span, decision));
    setFailure(undefined);
    try {
      await relabel({ jury, span, label: decision });
      forgetReplies("jury");
      forgetReplies("runs");
    } catch (error) {
      setDecisions((all) => new Map(all).set(span, before));
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const decide = (label: string) => {
    if (item === undefined || !reply.writable) return;
    const before = decisions.get(item.id) ?? null;
    undoable.current.push({ span: item.id, before });
    setSaid(`${label} written down`);
    write(item.id, label, before);
    show(at + 1);
  };
  const undo = () => {
    const last = undoable.current.pop();
    if (last === undefined) return;
    setSaid("taken back");
    write(last.span, last.before, decisions.get(last.span) ?? null);
    change({ span: last.span });
  };

  /** A letter that labels does nothing else. */
  const free = (keys: string[]) => keys.filter((key) => !all.some((look, i) => keysOf(look, i).includes(key)));
  useKeys("Judges", [
    ...(reply.writable
      ? [
          {
            keys: all.flatMap((look, i) => keysOf(look, i)),
            about: `label the span: ${all.map((look, i) => `${keysOf(look, i).join(" or ")} ${look.name}`).join(", ")}`,
            run: (key: string) => {
              const chosen = all.find((look, i) => keysOf(look, i).includes(key));
              if (chosen !== undefined) decide(chosen.name);
            },
          },
          { keys: free(["Backspace", "u"]), about: "undo", run: undo },
        ]
      : []),
    { keys: free(["ArrowRight", "n"]), about: "next span", run: () => show(at + 1) },
    { keys: ["ArrowLeft"], about: "previous span", run: () => show(at - 1) },
  ]);

  return (
    <section className="queue" aria-label="Disagreements">
      <div className="queue-head">
        <span className="neighbors">
          <button type="button" onClick={() => show(at - 1)} disabled={at === 0} aria-label="Previous span">
            ←
          </button>
          <span>
            {queue.length === 0 ? 0 : at + 1} <span className="quiet">of {wholeNumber(queue.length)}</span>
          </span>
          <button type="button" onClick={() => show(at + 1)} disabled={at >= queue.length - 1} aria-label="Next span">
            →
          </button>
        </span>
        <meter min={0} max={reply.queue.length} value={decided} aria-label="Decided" />
        <span className="quiet">
          {decided} of {reply.queue.length} decided
        </span>
        <Check checked={openOnly} onChange={(on) => change({ open: on ? "yes" : undefined })}>
          only open ones
        </Check>
        {reply.writable ? (
          <button type="button" onClick={undo} disabled={undoable.current.length === 0}>
            Undo
          </button>
        ) : (
          <span className="quiet">nothing can be kept here</span>
        )}
      </div>
      {failure !== undefined && (
        <p className="failure" role="alert">
          The label was not saved: {visibleText(failure)}
        </p>
      )}
      <p className="for-readers" role="status">
        {said}
      </p>
      {item === undefined ? (
        <Nothing title="Everything is decided">
          <button type="button" onClick={() => change({ open: undefined })}>
            Look at all again
          </button>
        </Nothing>
      ) : (
        <Span item={item} decision={decisions.get(item.id) ?? null} writable={reply.writable} onDecide={decide} />
      )}
      <p className="quiet">
        Saved in <code>{visibleText(reply.file)}</code>
      </p>
    </section>
  );
}

function Span({
  item,
  decision,
  writable,
  onDecide,
}: {
  readonly item: Disagreement;
  readonly decision: Decision;
  readonly writable: boolean;
  readonly onDecide: (label: string) => void;
}) {
  const { all } = useLabels();
  return (
    <div className="span-to-judge">
      <div className="span-text">
        {item.previous !== "" && <p className="previous">{visibleText(item.previous)}</p>}
        <p className="span-itself">{visibleText(item.text)}</p>
        <p className="quiet">
          <Name>{[item.id, item.domain, item.trace].filter((part) => part !== undefined).join(" · ")}</Name>
        </p>
      </div>
      <div>
        <table className="votes">
          <caption>Votes</caption>
          <tbody>
            {Object.entries(item.votes).map(([judge, vote]) => (
              <tr key={judge}>
                <th scope="row">
                  <Name>{judge}</Name>
                </th>
                <td>
                  <PrimitiveMark of={vote} long />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <fieldset className="labels" disabled={!writable}>
          <legend>What it does</legend>
          {all.map((look, i) => (
            <button
              key={look.name}
              type="button"
              className={`label-choice ink-${look.ink}`}
              aria-pressed={decision === look.name}
              onClick={() => onDecide(look.name)}
            >
              <PrimitiveMark of={look.name} long />
              <span className="quiet">{visibleText(look.meaning)}</span>
              <kbd>{keysOf(look, i).at(-1)}</kbd>
            </button>
          ))}
        </fieldset>
      </div>
    </div>
  );
}
