// All runs found, newest first, and where each stands; several can be chosen to stand side by side.
import type { ReactNode } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { RunNumbers } from "../../../results/run-numbers.ts";
import { displayName } from "../../../runs/recipe-names.ts";
import type { RunEntry, StageEntry } from "../../api.ts";
import { inPage } from "../data/labs.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { grouped } from "../grouped.ts";
import { useLinkKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { counted, percent, wholeNumber } from "../number-text.ts";
import { Check } from "../parts/fields.tsx";
import { inksOfEntries } from "../parts/inks.ts";
import { Name, StateMark } from "../parts/marks.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { When } from "../parts/when.tsx";
import { listOf, listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { durationText } from "../time-text.ts";

export function RunsPage() {
  const changes = useLiveCount(() => true, 1000);
  useLinkKeys("Runs", "run", ".runs h2 a");
  const asked = useReply("runs", {}, { version: changes });
  return (
    <div className="page">
      <h1>Runs</h1>
      <Answered asked={asked}>
        {({ folder, runs, gaps }) => (
          <>
            <p className="lead">
              {counted(runs.length, "run")} in <code>{visibleText(folder)}</code>
            </p>
            {runs.length === 0 ? (
              <Nothing title="No runs here yet">
                <p>A miniature of the whole pipeline takes some minutes and appears here as it goes:</p>
                <pre>repertoire run mini --folder {visibleText(folder)}/mini</pre>
                <p>
                  Rollouts from another trainer can be read too: <code>repertoire traces analyze --help</code>. Or{" "}
                  <Link to={addressOf.puzzles()}>play a puzzle</Link> in the meantime.
                </p>
              </Nothing>
            ) : (
              <RunList runs={runs} />
            )}
            <Gaps gaps={gaps} />
          </>
        )}
      </Answered>
    </div>
  );
}

/** Runs that can be opened; several can be chosen where they can stand side by side. */
export function RunList({ runs }: { readonly runs: readonly RunEntry[] }) {
  const [query, change] = useQuery();
  const chosen = listOf(query.runs).filter((id) => runs.some((run) => run.id === id));
  const choose = (id: string, on: boolean) =>
    change({ runs: listText(on ? [...chosen, id] : chosen.filter((other) => other !== id)) });
  const all = runs.filter(({ kind }) => kind !== "unknown" && kind !== "teach").map(({ id }) => id);
  return (
    <>
      {runs.length > 1 && !inPage && (
        <p className="side-by-side-choice">
          {chosen.length > 0 ? (
            <Link className="button" to={addressOf.sideBySide({ runs: listText(chosen) })}>
              Show {counted(chosen.length, "run")} side by side
            </Link>
          ) : (
            <span className="quiet">Choose runs to lay their curves over each other: mean and spread over seeds.</span>
          )}{" "}
          <button
            type="button"
            className="plain"
            onClick={() => change({ runs: chosen.length === all.length ? undefined : listText(all.slice(0, 24)) })}
          >
            {chosen.length === all.length ? "choose none" : "choose all"}
          </button>
        </p>
      )}
      <ul className="runs ruled">
        {runs.map((run) => (
          <RunItem
            key={run.id}
            run={run}
            choice={
              runs.length > 1 && !inPage ? (
                <Check checked={chosen.includes(run.id)} onChange={(on) => choose(run.id, on)}>
                  <span className="for-readers">{run.id} side by side with others</span>
                </Check>
              ) : null
            }
          />
        ))}
      </ul>
    </>
  );
}

const kindWords: Readonly<Record<RunEntry["kind"], string>> = {
  teach: "teacher traces",
  sft: "supervised fine-tuning",
  rl: "reinforcement learning",
  evaluate: "evaluation",
  analyze: "analysis of traces",
  fork: "forks of rollouts",
  recipe: "recipe",
  import: "imported rollouts",
  unknown: "unknown",
};

function RunItem({ run, choice }: { readonly run: RunEntry; readonly choice: ReactNode }) {
  return (
    <li className={`run-item run-${run.state}`}>
      <div className="row baseline">
        {choice}
        <h2>
          <Link to={addressOf.run(run.id)}>
            <Name>{run.name}</Name>
          </Link>
        </h2>
        <StateMark of={run.state} />
        <span className="quiet">{kindWords[run.kind]}</span>
        <span className="aside quiet">
          <When at={run.changed ?? run.created} />
        </span>
      </div>
      {run.numbers !== undefined && <Numbers of={run.numbers} />}
      {run.problem !== undefined && <p className="problem">{visibleText(run.problem)}</p>}
      {run.stages.length > 1 && <Stages run={run.id} stages={run.stages} />}
      {run.stages.length === 1 && <Progress stage={run.stages[0]} />}
    </li>
  );
}

/** Of the checkpoint that its sentences tell of. */
function Numbers({ of: { checkpoint, passAt1, recovery, tokens, alarms } }: { readonly of: RunNumbers }) {
  const facts = [
    ["pass@1", passAt1 === undefined ? "ungraded" : percent(passAt1)],
    ["recovery a trace", recovery.toFixed(2)],
    ["tokens", wholeNumber(Math.round(tokens))],
  ];
  return (
    <dl className="row facts" aria-label={`In numbers: ${displayName(checkpoint)}`}>
      <div>
        <dt>checkpoint</dt>
        <dd>
          <Name>{displayName(checkpoint)}</Name>
        </dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {alarms.length > 0 && (
        <div className="alarmed">
          <dt>alarms</dt>
          <dd>▲ {alarms.join(", ")}</dd>
        </div>
      )}
    </dl>
  );
}

const stageWords: Readonly<Record<StageEntry["kind"], string>> = {
  teach: "teacher",
  sft: "training",
  rl: "training",
  evaluate: "evaluations",
  analyze: "analyses",
  import: "training",
};

/** Where what a stage made is looked at: its rollouts, or the run's page where it makes none. */
const stageAddress = (run: string, { id, kind }: StageEntry): string =>
  kind === "sft" || kind === "analyze" ? addressOf.run(run) : addressOf.rollouts(run, { source: listText([id]) });

/** The stages of a run, those of one kind in one line; a finished analysis is what its pages show. */
export function Stages({ run, stages: all }: { readonly run: string; readonly stages: readonly StageEntry[] }) {
  const stages = all.filter(({ kind, state }) => kind !== "analyze" || state !== "finished");
  const inks = inksOfEntries(stages.filter(({ kind }) => kind !== "analyze"));
  return (
    <dl className="stages">
      {[...grouped(stages, ({ kind }) => stageWords[kind])].map(([word, own]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd className="row">
            {own.map((stage) => (
              <span key={stage.id} className={`inline ink-${inks.get(stage.id) ?? "grid"}`}>
                <span className="swatch" aria-hidden="true" />
                <Link to={stageAddress(run, stage)}>
                  <Name>{stage.name}</Name>
                </Link>
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
  const { done, total, unit, secondsLeft } = stage.progress;
  return (
    <span className="inline progress">
      {stage.state !== "finished" && done < total && (
        <meter min={0} max={Math.max(1, total)} value={done} aria-label={`${stage.name}: done`} />
      )}
      <span className="quiet">
        {done < total ? `${wholeNumber(done)} / ${wholeNumber(total)}` : wholeNumber(total)} {unit}
        {stage.state === "running" && secondsLeft !== undefined && `, about ${durationText(secondsLeft)} left`}
      </span>
    </span>
  );
}
