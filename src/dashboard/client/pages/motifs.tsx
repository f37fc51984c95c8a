// Motifs by checkpoint, and from a motif to the spans that show it.
import { oneLine } from "../../../drawing/safe-text.ts";
import type { MotifsReply, RunReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { usualPair } from "../data/usual-pair.ts";
import { useLinkKeys } from "../keys.ts";
import { useQuery } from "../navigation.tsx";
import { percent } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { labelWords } from "../parts/marks.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { Occurrences } from "./motif-occurrences.tsx";
import { MotifTable } from "./motif-table.tsx";

/** Seven columns at once are hard to read: evaluations first, the rest on demand. */
const analyzedKind = { value: "analysis", name: "the analysis" };
const logKinds = [
  { value: "evaluation", name: "evaluations" },
  { value: "training", name: "training" },
  { value: "all", name: "everything" },
];

export function MotifsPage() {
  const { asked } = useShownRun();
  return (
    <div className="page">
      <h1>Motifs</h1>
      <Answered asked={asked}>{(about) => <Motifs about={about} />}</Answered>
    </div>
  );
}

function Motifs({ about }: { readonly about: RunReply }) {
  const { run, version } = useShownRun();
  const [query, change] = useQuery();
  const length = /^\d+$/.test(query.length ?? "") ? query.length : undefined;
  // What an analysis counted is read from it; what it did not, is counted over what is labeled so far.
  const kinds = about.analysis === undefined ? logKinds : [analyzedKind, ...logKinds];
  const kind = kinds.find(({ value }) => value === query.from)?.value ?? kinds[0].value;
  const analyzed = kind === analyzedKind.value;
  const wanted = about.sources.filter((source) => kind === "all" || source.kind === kind).map(({ id }) => id);
  const sets = analyzed ? about.analysis!.scopes.map(({ name }) => name) : ["", ...about.sets];
  const set = sets.find((name) => name === query.set) ?? sets[0];
  const asked = useReply(
    "motifs",
    analyzed
      ? { run, length, scope: set }
      : { run, length, set: set === "" ? undefined : set, source: wanted.length === 0 ? undefined : wanted },
    { version, meanwhile: "earlier" },
  );
  return (
    <>
      <div className="filters">
        <Choice
          label="rollouts of"
          value={kind}
          options={kinds}
          onChange={(from) => change({ from: from === kinds[0].value ? undefined : from })}
        />
        {sets.length > 1 && (
          <Choice
            label="on"
            value={set}
            options={sets.map((name) => ({ value: name, name: name === "" ? "all sets" : oneLine(name) }))}
            onChange={(next) => change({ set: next === sets[0] ? undefined : next })}
          />
        )}
      </div>
      <Answered asked={asked}>
        {(reply) =>
          reply.sources.length === 0 ? (
            <Nothing title="No labeled traces">
              <p>Motifs are counted over labeled spans. They appear here once rollouts are written and read.</p>
            </Nothing>
          ) : (
            <div className={query.motif === undefined ? "" : "with-aside wide-aside"}>
              <Tables reply={reply} />
              {query.motif !== undefined && (
                <Occurrences
                  key={`${query.motif} ${query.source}`}
                  motif={query.motif}
                  source={query.source}
                  reply={reply}
                  set={set === "" || set === sets[0] ? undefined : set}
                />
              )}
            </div>
          )
        }
      </Answered>
    </>
  );
}

function Tables({ reply }: { readonly reply: MotifsReply }) {
  const [query, change] = useQuery();
  const { sources, length, noise } = reply;
  useLinkKeys("Motifs", "motif", ".motifs tbody th button");
  const at = (id: string | undefined, otherwise: number) => {
    const found = sources.findIndex((source) => source.id === id);
    return found < 0 ? otherwise : found;
  };
  const { about } = useShownRun();
  const [usualFirst, usualSecond] = about && about.sources.length > 1 ? usualPair(about) : [];
  const pair = [
    at(query.first, at(usualFirst?.id, 0)),
    at(query.second, at(usualSecond?.id, sources.length - 1)),
  ] as const;
  const choices = sources.map(({ id, name }) => ({ value: id, name: oneLine(name) }));
  const compared = sources.length > 1 ? pair : undefined;
  return (
    <div>
      {reply.indexed < reply.total && (
        <p className="quiet">{percent(reply.indexed / reply.total)} of the rollouts are read so far.</p>
      )}
      {reply.named.length > 0 && (
        <MotifTable title="Followed by name" reply={reply} rows={reply.named} pair={compared} />
      )}
      {reply.categories.length > 0 && (
        <MotifTable title="Categories" reply={reply} rows={reply.categories} pair={compared} />
      )}
      <div className="filters">
        <Choice
          label="length"
          value={String(length)}
          options={reply.lengths.map((k) => ({ value: String(k), name: `${k} primitives` }))}
          onChange={(k) => change({ length: k === "3" ? undefined : k })}
        />
        {compared !== undefined && (
          <>
            <Choice
              label="from"
              value={sources[pair[0]].id}
              options={choices}
              onChange={(first) => change({ first })}
            />
            <Choice
              label="to"
              value={sources[pair[1]].id}
              options={choices}
              onChange={(second) => change({ second })}
            />
          </>
        )}
      </div>
      {reply.frequent.length === 0 ? (
        <p className="quiet">
          No motif of {length} primitives occurs {noise} times or more.
        </p>
      ) : (
        <MotifTable title={`Motifs of ${length} primitives`} reply={reply} rows={reply.frequent} pair={compared} />
      )}
      {reply.labeled.map((labeled) => (
        <p key={labeled} className="quiet">
          {labelWords(labeled)}
        </p>
      ))}
    </div>
  );
}
