// One problem: what was asked, and every attempt at it, checkpoint by checkpoint.
import { Fragment } from "react";
import type { ProblemReply, RewardByPart, RolloutRow } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { grouped } from "../grouped.ts";
import { useLinkKeys } from "../keys.ts";
import { Link } from "../navigation.tsx";
import { compactNumber, counted } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { Name, ProblemName, VerdictMark } from "../parts/marks.tsx";
import { ProblemBoard } from "../parts/problem-board.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered } from "../parts/states.tsx";
import { rewardParts } from "../reward-weights.ts";
import { addressOf } from "../routes.ts";

export function ProblemPage({ problem }: { readonly problem: string }) {
  const { run, version } = useShownRun();
  const asked = useReply("problem", { run, problem }, { version });
  return (
    <div className="page">
      <p className="up">
        <Link to={addressOf.problems(run)}>Problems</Link>
      </p>
      <h1 className="id">
        <ProblemName problem={problem} asked={asked.reply?.rollouts[0]?.asked} />
      </h1>
      <Answered asked={asked}>{(reply) => <ProblemBody reply={reply} />}</Answered>
    </div>
  );
}

function ProblemBody({ reply: { problem, rollouts, cut } }: { readonly reply: ProblemReply }) {
  const { run, reading } = useShownRun();
  useLinkKeys("Attempts", "attempt", ".attempt-list a");
  return (
    <div className="columns">
      <div>
        {rollouts.length === 0 && (
          <p className="quiet">
            {reading
              ? "The server is still reading this run …"
              : problem.kind === "unknown"
                ? "No problem of this run has this id: nobody was asked it."
                : "Nobody has tried it yet."}
          </p>
        )}
        <AttemptsBySource rollouts={rollouts} />
        {cut && <p className="quiet">There are more attempts than are listed here; the rollouts page has them all.</p>}
        {rollouts.length > 0 && (
          <p>
            <Link to={addressOf.compare(run, { problem: problem.id })}>Compare two checkpoints on this problem</Link>
            {" · "}
            <Link to={addressOf.rollouts(run, { problem: problem.id })}>Its rollouts as a list</Link>
          </p>
        )}
      </div>
      <aside aria-label="What was asked">
        {problem.kind === "puzzle" && (
          <ProblemBoard problem={problem.id} puzzle={problem.puzzle} instance={problem.instance} />
        )}
        <dl className="meta ruled">
          {problem.set !== "" && (
            <div>
              <dt>set</dt>
              <dd>
                <Name>{problem.set}</Name>
              </dd>
            </div>
          )}
          {"answer" in problem && problem.answer !== undefined && (
            <div>
              <dt>answer</dt>
              <dd>
                <Name>{problem.answer}</Name>
              </dd>
            </div>
          )}
        </dl>
        {problem.prompt !== undefined && (
          <details open={problem.kind !== "puzzle"}>
            <summary>Prompt</summary>
            <Verbatim name="Prompt" text={problem.prompt} />
          </details>
        )}
      </aside>
    </div>
  );
}

/** Of each checkpoint all, or the first few; those of training step by step. */
export function AttemptsBySource({ rollouts, most }: Pick<ProblemReply, "rollouts"> & { readonly most?: number }) {
  const { run } = useShownRun();
  return [...grouped(rollouts, ({ source }) => source)].map(([source, rows]) => (
    <section key={source} className="attempts">
      <h2>
        <Checkpoint of={source} />{" "}
        <small className="quiet">
          {rows.filter(({ verdict }) => verdict === "correct").length} of {counted(rows.length, "attempt")} correct
        </small>
      </h2>
      {[...grouped(rows.slice(0, most), ({ step }) => step)].map(([step, group]) => (
        <Fragment key={step ?? "all"}>
          {step !== undefined && <h3>Step {step}</h3>}
          <ul className="attempt-list ruled">
            {group.map((row) => (
              <Attempt key={row.row} run={run} row={row} group={step === undefined ? undefined : group} />
            ))}
          </ul>
        </Fragment>
      ))}
    </section>
  ));
}

/** What it earned above the other attempts of its step, in their spread: what a group's advantage is, before any clipping. */
function advantage({ reward }: RolloutRow, group: readonly RolloutRow[]): number | undefined {
  const rewards = group.flatMap((one) => one.reward ?? []);
  if (reward === undefined || rewards.length < 2) return undefined;
  const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
  const spread = Math.sqrt(rewards.reduce((sum, one) => sum + (one - mean) ** 2, 0) / rewards.length);
  return spread < 1e-9 ? 0 : (reward - mean) / spread;
}

/** Where there is more than one, what it is made of. */
function partsWords(parts: RewardByPart | undefined): string {
  const known = rewardParts.flatMap((name) =>
    parts?.[name] === undefined ? [] : `${name} ${compactNumber(parts[name])}`,
  );
  return known.length < 2 ? "" : ` (${known.join(", ")})`;
}

type AttemptProps = {
  readonly run: string;
  readonly row: RolloutRow;
  /** Of the same step of training. */
  readonly group?: readonly RolloutRow[];
};

function Attempt({ run, row, group }: AttemptProps) {
  const worth = group && advantage(row, group);
  return (
    <li>
      <Link to={addressOf.trace(run, row)} className="row">
        <span className="attempt-number">#{row.attempt}</span>
        <VerdictMark of={row.verdict} />
        {row.state !== "complete" && <span className="quiet">{row.state}</span>}
        <span className="quiet">{row.tokens === undefined ? "" : `${compactNumber(row.tokens)} tokens`}</span>
        {group !== undefined && row.reward !== undefined && (
          <span className="quiet">
            reward {compactNumber(row.reward)}
            {partsWords(row.parts)}
          </span>
        )}
        {worth !== undefined && (
          <span className={worth > 0 ? "gain" : worth < 0 ? "loss" : "quiet"}>
            {worth > 0 ? "+" : ""}
            {worth.toFixed(1).replace("-", "−")}
          </span>
        )}
      </Link>
      <SequenceStrip sequence={row.sequence} spans={row.spans} />
    </li>
  );
}
