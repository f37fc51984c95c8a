// One run, as it goes: where its stages stand, whether its repertoire survives, curves, evaluations, configuration.

import { visibleText } from "../../../drawing/safe-text.ts";
import type { RunReply, RunState, Source } from "../../api.ts";
import { inPage } from "../data/labs.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { grouped } from "../grouped.ts";
import { Link } from "../navigation.tsx";
import { counted, wholeNumber } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { Alarms, Conclusion } from "../parts/conclusion.tsx";
import { CurveControls } from "../parts/curve-view.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { isMade, Sections, useItems } from "../parts/items.tsx";
import { labelWords, Name, StateMark } from "../parts/marks.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { When } from "../parts/when.tsx";
import { listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { QuerySection } from "./query.tsx";
import { Stages } from "./runs.tsx";

export function RunPage() {
  const { run: id, asked } = useShownRun();
  return (
    <div className="page">
      {asked.reply === undefined && (
        <h1>
          <Name>{id}</Name>
        </h1>
      )}
      <Answered asked={asked}>{(reply) => <RunBody reply={reply} />}</Answered>
    </div>
  );
}

function RunBody({ reply }: { readonly reply: RunReply }) {
  const { run, sources, analysis, gaps, config } = reply;
  const trains = run.stages.some(({ kind }) => kind === "rl" || kind === "sft");
  const nothing = !trains && sources.length === 0;
  return (
    <>
      <header className="row baseline run-head">
        <h1>
          <Name>{run.name}</Name>
        </h1>
        <StateMark of={run.state} />
        <span className="quiet">
          begun <When at={run.created} />, last changed <When at={run.changed} />
        </span>
        {run.report && !inPage && <a href={`/reports/${encodeURIComponent(run.id)}/index.html`}>Its report</a>}
        {run.command !== undefined && <code className="command">{visibleText(run.command)}</code>}
      </header>
      {run.problem !== undefined && (
        <p className="problem" role="alert">
          {visibleText(run.problem)}
        </p>
      )}
      {run.stages.length > 1 && <Stages run={run.id} stages={run.stages} />}
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
      {!nothing && <Results run={run.id} state={run.state} />}
      {analysis !== undefined && <QuerySection run={run.id} analysis={analysis} />}
      {sources.length > 0 && <SourcesSection sources={sources} />}
      {Object.keys(config).length > 0 && (
        <details className="config">
          <summary>Configuration</summary>
          <Verbatim name="Configuration" text={JSON.stringify(config, null, 2)} />
        </details>
      )}
    </>
  );
}

/** What its report shows, and first what it comes to; while it runs, how training goes is open. */
export function Results({ run, state }: { readonly run: string; readonly state: RunState }) {
  const asked = useItems([run]);
  const running = state === "running";
  return (
    <Answered asked={asked}>
      {({ conclusion, about, alarms, sections, gaps }) => {
        const made = (id: string) => sections.some((own) => own.id === id && own.items.some(isMade));
        const told = running ? ["training", "recovery"] : ["overview", "changed"];
        // Without an analysis there are the grades and the curves.
        const first = told.some(made) ? told : ["training", "accuracy"];
        return (
          <>
            <Conclusion {...{ conclusion, about, sections }} />
            <Alarms alarms={alarms} running={running} />
            <Gaps gaps={gaps} title="Missing from its results" />
            {made("training") && <CurveControls />}
            <Sections
              sections={[...sections].sort((a, b) => Number(first.includes(b.id)) - Number(first.includes(a.id)))}
              open={({ id }) => first.includes(id)}
            />
            {state === "finished" && (
              <p className="quiet">
                On one page, with every figure and table as files: <code>repertoire report {visibleText(run)}</code>
              </p>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function SourcesSection({ sources }: { readonly sources: readonly Source[] }) {
  const { run, nameOf } = useShownRun();
  const columns: Column<Source>[] = [
    {
      name: "source",
      naming: true,
      by: ({ id }) => nameOf(id),
      cell: ({ id }) => (
        <Link to={addressOf.rollouts(run, { source: listText([id]) })}>
          <Checkpoint of={id} />
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
  return (
    <section aria-labelledby="rollouts-title">
      <h2 id="rollouts-title">Rollouts to read</h2>
      <DataTable
        name="Sources of rollouts"
        className="sources"
        columns={columns}
        rows={sources}
        keyOf={(source) => source.id}
      />
      {[...grouped(sources, ({ labeled }) => labeled ?? "no labels")].map(([labeled, own]) => (
        <p key={labeled} className="quiet">
          {own.length < sources.length && `${own.map(({ id }) => nameOf(id)).join(", ")}: `}
          {labelWords(labeled)}
        </p>
      ))}
    </section>
  );
}
