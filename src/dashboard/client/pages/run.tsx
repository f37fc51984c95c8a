// One run, as it goes: where its stages stand, whether its repertoire survives, curves, evaluations, configuration.
import { visibleText } from "../../../report/safe-text.ts";
import type { RunReply, Source } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { Link } from "../navigation.tsx";
import { counted, wholeNumber } from "../number-text.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { inksOf } from "../parts/inks.ts";
import { CheckpointName, labelWords, Name, StateMark, sourceNames } from "../parts/marks.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { When } from "../parts/when.tsx";
import { listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { AnalyzedMonitor } from "./repertoire-monitor.tsx";
import { ClaimsSection } from "./run-claims.tsx";
import { EvaluationSection } from "./run-evaluations.tsx";
import { SftSection } from "./run-sft.tsx";
import { RlSections } from "./run-training.tsx";
import { Stages } from "./runs.tsx";

export function RunPage({ run: id }: { readonly run: string }) {
  const changes = useLiveCount((event) => event.type === "runs" || event.run === id, 700);
  const asked = useReply("run", { run: id }, { version: changes });
  return (
    <div className="page">
      {asked.reply === undefined && (
        <h1>
          <Name>{id}</Name>
        </h1>
      )}
      <Answered asked={asked}>{(reply) => <RunBody id={id} reply={reply} version={changes} />}</Answered>
    </div>
  );
}

function RunBody({ id, reply, version }: { readonly id: string; readonly reply: RunReply; readonly version: number }) {
  const { run, sources, evaluations, analysis, gaps, config } = reply;
  const inks = inksOf(reply);
  const rl = run.stages.filter(({ kind }) => kind === "rl");
  const sft = run.stages.filter(({ kind }) => kind === "sft");
  const nothing = rl.length === 0 && sft.length === 0 && evaluations.length === 0 && sources.length === 0;
  return (
    <>
      <header className="run-head">
        <h1>
          <Name>{run.name}</Name>
        </h1>
        <StateMark of={run.state} />
        <span className="quiet">
          begun <When at={run.created} />, last changed <When at={run.changed} />
        </span>
        {run.command !== undefined && <code className="command">{visibleText(run.command)}</code>}
      </header>
      {run.problem !== undefined && (
        <p className="problem" role="alert">
          {visibleText(run.problem)}
        </p>
      )}
      {run.stages.length > 1 && <Stages run={id} stages={run.stages} />}
      <Gaps gaps={gaps} title="Missing from this run" />
      {nothing && (
        <Nothing title={run.state === "broken" ? "Nothing of this run can be read" : "Nothing has happened yet"}>
          <p>
            {run.state === "running"
              ? "The first events appear here by themselves."
              : "Training steps, evaluations and rollouts appear here as soon as the run writes them."}
          </p>
        </Nothing>
      )}
      {analysis?.outdated !== undefined && (
        <p className="problem">
          The analysis is older than what it read: {visibleText(analysis.outdated)}. Analyze again to bring it up to
          date.
        </p>
      )}
      {rl.length > 0 && <RlSections run={id} stages={rl} inks={inks} />}
      {rl.length === 0 && analysis !== undefined && (
        <AnalyzedMonitor run={id} labeled={analysis.labeled} running={run.state === "running"} version={version} />
      )}
      {evaluations.length > 0 && <EvaluationSection run={id} evaluations={evaluations} inks={inks} />}
      {analysis !== undefined && <ClaimsSection claims={analysis.claims} />}
      {sft.map((stage) => (
        <SftSection key={stage.id} run={id} stage={stage} ink={inks.get(stage.id)!} />
      ))}
      {sources.length > 0 && <SourcesSection id={id} reply={reply} inks={inks} />}
      {Object.keys(config).length > 0 && (
        <details className="config">
          <summary>Configuration</summary>
          <Verbatim name="Configuration" text={JSON.stringify(config, null, 2)} />
        </details>
      )}
    </>
  );
}

function SourcesSection({
  id,
  reply,
  inks,
}: {
  readonly id: string;
  readonly reply: RunReply;
  readonly inks: ReadonlyMap<string, string>;
}) {
  const names = sourceNames(reply.sources);
  const labelers = [...new Set(reply.sources.map(({ labeled }) => labeled ?? "none"))];
  const columns: Column<Source>[] = [
    {
      name: "source",
      naming: true,
      by: (source) => names.get(source.id),
      cell: (source) => (
        <Link to={addressOf.rollouts(id, { source: listText([source.id]) })}>
          <CheckpointName name={names.get(source.id)!} ink={inks.get(source.id) ?? "muted"} />
        </Link>
      ),
    },
    {
      name: "kind",
      by: ({ kind }) => kind,
      cell: ({ kind, steps }) => (
        <>
          {kind}
          {steps !== undefined && (
            <span className="quiet">
              {" "}
              steps {steps.first}–{steps.last}
            </span>
          )}
        </>
      ),
    },
    {
      name: "rollouts",
      number: true,
      by: ({ rollouts }) => rollouts,
      cell: ({ rollouts, indexed }) => (
        <>
          {wholeNumber(rollouts)}
          {indexed < rollouts && <span className="quiet"> ({counted(indexed, "read", "read")})</span>}
        </>
      ),
    },
  ];
  const labels: Column<Source> = {
    ...{ name: "labels", className: "quiet" },
    by: ({ labeled }) => labeled,
    cell: ({ labeled }) => visibleText(labeled ?? "none"),
  };
  return (
    <section aria-labelledby="rollouts-title">
      <h2 id="rollouts-title">Rollouts to read</h2>
      <DataTable
        name="Sources of rollouts"
        className="sources"
        columns={labelers.length > 1 ? [...columns, labels] : columns}
        rows={reply.sources}
        keyOf={(source) => source.id}
      />
      {labelers.length === 1 && labelers[0] !== "none" && <p className="quiet">{labelWords(labelers[0])}</p>}
    </section>
  );
}
