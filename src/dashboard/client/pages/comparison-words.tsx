// Two checkpoints as a chart of what changed, as the run's analysis compared them, on the set that the reader chooses.
import { oneLine } from "../../../drawing/safe-text.ts";
import type { AnalysisEntry, Source } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { ItemView } from "../parts/items.tsx";
import { Answered } from "../parts/states.tsx";

export function ComparisonWords({
  first,
  second,
  analysis,
}: {
  readonly first: Source;
  readonly second: Source;
  readonly analysis: AnalysisEntry;
}) {
  const { run } = useShownRun();
  const [query, change] = useQuery();
  const names = analysis.scopes.map(({ name }) => name);
  const scope = names.find((name) => name === query.set) ?? analysis.told?.scope ?? names[0];
  const asked = useReply("comparison", { run, first: first.id, second: second.id, scope });
  return (
    <section aria-labelledby="words-title">
      <h2 id="words-title">What changed</h2>
      {names.length > 1 && (
        <div className="row filters">
          <Choice
            label="on"
            value={scope}
            options={analysis.scopes.map(({ name, problems }) => ({
              value: name,
              name: `${oneLine(name)} (${problems} problems)`,
            }))}
            onChange={(set) => change({ set })}
          />
        </div>
      )}
      <Answered asked={asked}>
        {({ items, compared }) => (
          <>
            {items.map((item) => (
              <ItemView key={item.title} item={item} />
            ))}
            {!compared.some((pair) => pair.first === first.id && pair.second === second.id) && (
              <p className="quiet">
                The analysis did not compare these two. <code>repertoire traces compare</code> compares any two.
              </p>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}
