// Motifs by checkpoint, and from a motif to the spans that show it.
import { oneLine, visibleText } from "../../../report/safe-text.ts";
import { motifLengths } from "../../../traces/motifs.ts";
import type { MotifsReply, RunReply } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { percent } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { Occurrences } from "./motif-occurrences.tsx";
import { motifOrders, orderedMotifs } from "./motif-order.ts";
import { MotifTable } from "./motif-table.tsx";

/** Seven columns at once are hard to read: evaluations first, the rest on demand. */
const kinds = [
  { value: "evaluation", name: "evaluations" },
  { value: "training", name: "training" },
  { value: "all", name: "everything" },
];

export function MotifsPage({ run }: { readonly run: string }) {
  const asked = useReply("run", { run });
  return (
    <div className="page">
      <h1>Motifs</h1>
      <Answered asked={asked}>{(about) => <Motifs run={run} about={about} />}</Answered>
    </div>
  );
}

function Motifs({ run, about }: { readonly run: string; readonly about: RunReply }) {
  const [query, change] = useQuery();
  const changes = useLiveCount((event) => event.type === "indexed" && event.run === run, 3000);
  const length = motifLengths.find((k) => String(k) === query.length) ?? 3;
  const kind = kinds.find(({ value }) => value === query.from)?.value ?? "evaluation";
  const wanted = about.sources.filter((source) => kind === "all" || source.kind === kind).map(({ id }) => id);
  const sets = [...new Set(about.evaluations.flatMap(({ sets }) => sets.map(({ set }) => set)))];
  const asked = useReply(
    "motifs",
    { run, length, set: query.set, source: wanted.length === 0 ? undefined : wanted },
    { version: changes, meanwhile: "earlier" },
  );
  return (
    <>
      <div className="filters">
        <Choice
          label="rollouts of"
          value={kind}
          options={kinds}
          onChange={(from) => change({ from: from === "evaluation" ? undefined : from })}
        />
        {sets.length > 1 && (
          <Choice
            label="on"
            value={query.set ?? ""}
            options={[{ value: "", name: "all sets" }, ...sets.map((set) => ({ value: set, name: oneLine(set) }))]}
            onChange={(set) => change({ set })}
          />
        )}
      </div>
      <Answered asked={asked}>
        {(reply) =>
          reply.sources.length === 0 ? (
            <Nothing title="No labelled traces">
              <p>Motifs are counted over labelled spans. They appear here once rollouts are written and read.</p>
            </Nothing>
          ) : (
            <div className={query.motif === undefined ? "" : "with-aside wide-aside"}>
              <Tables reply={reply} />
              {query.motif !== undefined && (
                <Occurrences
                  key={`${query.motif} ${query.source}`}
                  run={run}
                  motif={query.motif}
                  source={query.source}
                  reply={reply}
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
  const order = motifOrders.find((name) => name === query.order) ?? "frequent";
  const at = (id: string | undefined, otherwise: number) => {
    const found = sources.findIndex((source) => source.id === id);
    return found < 0 ? otherwise : found;
  };
  const sft = sources.findIndex(({ role }) => role === "sft");
  const pair = [at(query.first, Math.max(0, sft)), at(query.second, sources.length - 1)] as const;
  const choices = sources.map(({ id, name }) => ({ value: id, name: oneLine(name) }));
  const compared = sources.length > 1 ? pair : undefined;
  return (
    <div>
      {reply.indexed < reply.total && (
        <p className="quiet">{percent(reply.indexed / reply.total)} of the rollouts are read so far.</p>
      )}
      <MotifTable title="The paper’s three" reply={reply} rows={reply.named} pair={compared} />
      <MotifTable title="Trigram categories" reply={reply} rows={reply.categories} pair={compared} />
      <div className="filters">
        <Choice
          label="length"
          value={String(length)}
          options={motifLengths.map((k) => ({ value: String(k), name: `${k} primitives` }))}
          onChange={(k) => change({ length: k === "3" ? undefined : k })}
        />
        {compared !== undefined && (
          <>
            <Choice
              label="first"
              value={order}
              options={[
                { value: "frequent", name: "the most frequent" },
                { value: "rose", name: "what rose most" },
                { value: "fell", name: "what fell most" },
              ]}
              onChange={(next) => change({ order: next === "frequent" ? undefined : next })}
            />
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
        <MotifTable
          title={`Motifs of ${length} primitives`}
          reply={reply}
          rows={orderedMotifs(reply.frequent, sources, order, pair)}
          pair={compared}
        />
      )}
      {reply.labelled.map((labelled) => (
        <p key={labelled} className="quiet">
          Labels: {visibleText(labelled)}
        </p>
      ))}
    </div>
  );
}
