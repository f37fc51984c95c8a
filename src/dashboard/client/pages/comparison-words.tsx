// Two checkpoints in words, as the run's analysis compared them, on the set that the reader chooses.
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { AnalysisEntry, Source } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { Answered } from "../parts/states.tsx";

const Words = ({ words }: { readonly words: readonly string[] }) => (
  <div className="words">
    {words.map((paragraph) => (
      <p key={paragraph}>{visibleText(paragraph)}</p>
    ))}
  </div>
);

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
  const scope = names.find((name) => name === query.set) ?? names[0];
  const asked = useReply("comparison", { run, first: first.id, second: second.id, scope });
  return (
    <section aria-labelledby="words-title">
      <h2 id="words-title">What changed</h2>
      {names.length > 1 && (
        <div className="filters">
          <Choice
            label="on"
            value={scope}
            options={analysis.scopes.map(({ name, problems }) => ({
              value: name,
              name: `${oneLine(name)} (${problems} problems)`,
            }))}
            onChange={(set) => change({ set: set === names[0] ? undefined : set })}
          />
        </div>
      )}
      <Answered asked={asked}>
        {({ words, training }) => (
          <>
            {training.map(({ first: start, second: end, words: own }) => (
              <Words key={`${start} ${end}`} words={own} />
            ))}
            {words.length > 0 && <Words words={words} />}
            {words.length === 0 && (
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
