// Motifs by checkpoint, and from a motif to the spans that show it.
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { AnalysisEntry, MotifsReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { usualPair } from "../data/usual-pair.ts";
import { useLinkKeys } from "../keys.ts";
import { useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { labelWords } from "../parts/marks.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { Occurrences } from "./motif-occurrences.tsx";
import { MotifTable } from "./motif-table.tsx";

export function MotifsPage() {
  const { asked, run } = useShownRun();
  return (
    <div className="page">
      <h1>Motifs</h1>
      <Answered asked={asked}>
        {({ analysis }) =>
          analysis === undefined ? (
            <Nothing title="No analysis yet">
              <p>
                Motifs are counted when traces are analyzed: <code>repertoire traces analyze {visibleText(run)}</code>
              </p>
            </Nothing>
          ) : (
            <Motifs analysis={analysis} />
          )
        }
      </Answered>
    </div>
  );
}

function Motifs({ analysis }: { readonly analysis: AnalysisEntry }) {
  const { run, version } = useShownRun();
  const [query, change] = useQuery();
  const length = /^\d+$/.test(query.length ?? "") ? query.length : undefined;
  const sets = analysis.scopes.map(({ name }) => name);
  const set = sets.find((name) => name === query.set) ?? sets[0];
  const asked = useReply("motifs", { run, length, scope: set }, { version, meanwhile: "earlier" });
  return (
    <>
      {sets.length > 1 && (
        <div className="filters">
          <Choice
            label="on"
            value={set}
            options={sets.map((name) => ({ value: name, name: oneLine(name) }))}
            onChange={(next) => change({ set: next === sets[0] ? undefined : next })}
          />
        </div>
      )}
      <Answered asked={asked}>
        {(reply) => (
          <div className={query.motif === undefined ? "" : "with-aside wide-aside"}>
            <Tables reply={reply} />
            {query.motif !== undefined && (
              <Occurrences
                key={`${query.motif} ${query.source}`}
                motif={query.motif}
                source={query.source}
                reply={reply}
                set={set === sets[0] ? undefined : set}
              />
            )}
          </div>
        )}
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
