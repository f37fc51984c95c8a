// All runs found, newest first, and where each stands.
import { visibleText } from "../../../report/safe-text.ts";
import type { RunEntry, StageEntry } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { grouped } from "../grouped.ts";
import { Link } from "../navigation.tsx";
import { counted, wholeNumber } from "../number-text.ts";
import { inksOfEntries, Name, StateMark } from "../parts/marks.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { When } from "../parts/when.tsx";
import { addressOf } from "../routes.ts";

export function RunsPage() {
  const changes = useLiveCount(() => true, 1000);
  const asked = useReply("runs", {}, { version: changes });
  return (
    <div className="page">
      <h1>Runs</h1>
      <Answered asked={asked}>
        {({ folder, runs, juries, gaps }) => (
          <>
            <p className="lead">
              {counted(runs.length, "run")} in <code>{visibleText(folder)}</code>
            </p>
            {runs.length === 0 ? (
              <Nothing title="No runs here yet">
                <p>A miniature of the whole pipeline takes about an hour on a laptop and appears here as it goes:</p>
                <pre>repertoire run mini --out {visibleText(folder)}/mini</pre>
                <p>
                  Rollouts from another trainer can be read too: <code>repertoire traces analyze --help</code>. Or{" "}
                  <Link to={addressOf.puzzles()}>play a puzzle</Link> in the meantime.
                </p>
              </Nothing>
            ) : (
              <ul className="runs">
                {runs.map((run) => (
                  <RunItem key={run.id} run={run} />
                ))}
              </ul>
            )}
            {juries.length > 0 && (
              <p>
                {counted(juries.length, "jury", "juries")} of judges:{" "}
                <Link to={addressOf.judges()}>read their disagreements</Link>
              </p>
            )}
            <Gaps gaps={gaps} />
          </>
        )}
      </Answered>
    </div>
  );
}

const kindWords: Readonly<Record<RunEntry["kind"], string>> = {
  teach: "teacher traces",
  sft: "supervised fine-tuning",
  rl: "reinforcement learning",
  evaluate: "evaluation",
  analyze: "analysis of traces",
  recipe: "recipe",
  import: "imported rollouts",
  unknown: "unknown",
};

function RunItem({ run }: { readonly run: RunEntry }) {
  return (
    <li className={`run-item run-${run.state}`}>
      <div className="run-line">
        <h2>
          <Link to={addressOf.run(run.id)}>
            <Name>{run.name}</Name>
          </Link>
        </h2>
        <StateMark of={run.state} />
        <span className="quiet">{kindWords[run.kind]}</span>
        <span className="run-when quiet">
          <When at={run.changed ?? run.created} />
        </span>
      </div>
      {run.problem !== undefined && <p className="problem">{visibleText(run.problem)}</p>}
      {run.stages.length > 1 && <Stages stages={run.stages} />}
      {run.stages.length === 1 && <Progress stage={run.stages[0]} />}
    </li>
  );
}

const stageWords: Readonly<Record<StageEntry["kind"], string>> = {
  teach: "teacher",
  sft: "training",
  rl: "training",
  evaluate: "evaluations",
  analyze: "analyses",
  import: "imported",
};

/** The stages of a run, those of one kind in one line. */
export function Stages({ stages }: { readonly stages: readonly StageEntry[] }) {
  const inks = inksOfEntries(stages.filter(({ kind }) => kind !== "analyze"));
  return (
    <dl className="stages">
      {[...grouped(stages, ({ kind }) => stageWords[kind])].map(([word, own]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>
            {own.map((stage) => (
              <span key={stage.id} className={`stage ink-${inks.get(stage.id) ?? "grid"}`}>
                <span className="swatch" aria-hidden="true" />
                <Name>{stage.name}</Name>
                {stage.state !== "finished" && <StateMark of={stage.state} />}
                <Progress stage={stage} />
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Progress({ stage }: { readonly stage: StageEntry }) {
  if (stage.progress === undefined) return null;
  const { done, total, unit } = stage.progress;
  return (
    <span className="progress">
      {stage.state !== "finished" && done < total && (
        <meter min={0} max={Math.max(1, total)} value={done} aria-label={`${stage.name}: done`} />
      )}
      <span className="quiet">
        {done < total ? `${wholeNumber(done)} / ${wholeNumber(total)}` : wholeNumber(total)} {unit}
      </span>
    </span>
  );
}
