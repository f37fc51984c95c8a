// What is known about a trace besides its text: reward by part, primitives, surprisal, how it ended.
import type { ReactNode } from "react";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { RewardByPart, TraceReply } from "../../api.ts";
import { useLabels } from "../labels.tsx";
import { compactNumber, counted, wholeNumber } from "../number-text.ts";
import { labelWords, PrimitiveMark, VerdictMark } from "../parts/marks.tsx";
import { rewardParts, rewardWeights } from "../reward-weights.ts";

type Bar = {
  readonly name: string;
  readonly head: ReactNode;
  /** Of the longest bar. */
  readonly share: number;
  readonly ink?: string;
  readonly value: ReactNode;
};

function Bars({ caption, bars, children }: BarsProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {bars.map(({ name, head, share, ink, value }) => (
          <tr key={name} className={ink && `ink-${ink}`}>
            <th scope="row">{head}</th>
            <td>
              <span className="bed" aria-hidden="true">
                <span
                  className={share < 0 ? "fill negative" : "fill"}
                  style={{ width: `${Math.min(1, Math.abs(share)) * 100}%` }}
                />
              </span>
            </td>
            <td className="number">{value}</td>
          </tr>
        ))}
        {children}
      </tbody>
    </table>
  );
}

type BarsProps = { readonly caption: ReactNode; readonly bars: readonly Bar[]; readonly children?: ReactNode };

export function RewardParts({ reward }: { readonly reward: RewardByPart }) {
  const weights = rewardWeights([reward]);
  const bars = rewardParts.flatMap((name): Bar[] => {
    const [value, weight] = [reward[name], weights?.[name] ?? 1];
    if (value === undefined) return [];
    const times = weight === 1 ? "" : `${compactNumber(value)} × ${weight} = `;
    const shown = (
      <>
        <small className="quiet">{times}</small>
        {compactNumber(weight * value)}
      </>
    );
    return [{ name, head: name, share: value, value: shown }];
  });
  const about = weights === undefined && <small className="quiet"> (weighted otherwise in the total)</small>;
  return (
    <Bars caption={<>Reward by part{about}</>} bars={bars}>
      <tr className="total">
        <th scope="row">total</th>
        <td />
        <td className="number">{compactNumber(reward.total)}</td>
      </tr>
    </Bars>
  );
}

export function PrimitiveCounts({ spans }: { readonly spans: TraceReply["spans"] }) {
  const { all } = useLabels();
  if (spans.length === 0) return null;
  const counts = all.map(({ name, ink }) => ({ name, ink, count: spans.filter(({ label }) => label === name).length }));
  const most = Math.max(...counts.map(({ count }) => count));
  const bars = counts
    .filter(({ count }) => count > 0)
    .map(({ name, ink, count }) => ({
      ...{ name, ink, head: <PrimitiveMark of={name} long />, share: count / most, value: count },
    }));
  return <Bars caption={counted(spans.length, "span")} bars={bars} />;
}

/** The 10, 100 and 200 most surprising tokens, as they are recorded. */
const topTokens = [10, 100, 200];

export function TraceFacts({ trace }: { readonly trace: TraceReply }) {
  const { rollout, depth, novelty, surprisal } = trace;
  const facts: [string, string | undefined][] = [
    ["policy", oneLine(trace.policy)],
    ["training step", rollout.step === undefined ? undefined : String(rollout.step)],
    ["score", trace.grade !== undefined || rollout.reward === undefined ? undefined : compactNumber(rollout.reward)],
    ["tokens", rollout.tokens === undefined ? undefined : wholeNumber(rollout.tokens)],
    ["ended", `${rollout.state}${trace.finish === undefined ? "" : ` (${oneLine(trace.finish)})`}`],
    ["failure", trace.failure === undefined ? undefined : oneLine(trace.failure)],
    ["chain depth", depth === undefined ? undefined : String(depth.chain)],
    ["mean exploit run", depth?.meanRun === undefined ? undefined : compactNumber(depth.meanRun)],
    ["novelty score", novelty === undefined ? undefined : compactNumber(novelty.score)],
    ["novelty z", novelty?.z === undefined ? undefined : compactNumber(novelty.z)],
    ["surprisal, mean", surprisal === undefined ? undefined : `${compactNumber(surprisal.mean)} nats`],
    ...(surprisal?.top ?? []).map((value, i): [string, string] => [
      `surprisal, top ${topTokens[i] ?? i + 1}`,
      `${compactNumber(value)} nats`,
    ]),
    ["seed", trace.seed === undefined ? undefined : String(trace.seed)],
    ["took", trace.milliseconds === undefined ? undefined : `${compactNumber(trace.milliseconds / 1000)} s`],
    ["served by", trace.servedBy === undefined ? undefined : oneLine(trace.servedBy)],
  ];
  return (
    <dl className="meta ruled">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function GradeLine({ trace }: { readonly trace: TraceReply }) {
  const { grade, rollout } = trace;
  return (
    <p className="grade-line">
      <VerdictMark of={grade?.verdict ?? rollout.verdict} />
      {grade?.because !== undefined && <span> {visibleText(grade.because)}</span>}
      {grade?.answer !== undefined && (
        <span className="quiet">
          {" "}
          read as <code>{oneLine(grade.answer)}</code>
        </span>
      )}
    </p>
  );
}

/** Whose labels these are, and how far to trust them. */
export function LabelSource({ trace }: { readonly trace: TraceReply }) {
  if (trace.labeled === undefined) return <p className="quiet">No labels: the spans of this trace are not known.</p>;
  return <p className="quiet label-source">{labelWords(trace.labeled)}</p>;
}

/** Where it was forked, and what became of it; and how to fork it at the span that the address names. */
export function TraceForks({
  trace,
  run,
  span,
  onSpan,
}: {
  readonly trace: TraceReply;
  readonly run: string;
  readonly span?: string;
  readonly onSpan: (span: number) => void;
}) {
  const { forks = [], rollout } = trace;
  if (forks.length === 0 && span === undefined) return null;
  const share = ({ right, ends }: { readonly right: number; readonly ends: number }) =>
    ends === 0 ? "never gone" : `${right} of ${ends} right`;
  return (
    <section aria-label="Forks">
      {forks.map(({ first, move, by, without, right }) => (
        <p key={`${first} ${move.join()} ${by} ${without}`}>
          {move.map((label) => (
            <span key={label}>
              <PrimitiveMark of={label} long />{" "}
            </span>
          ))}
          at
          <button type="button" className="plain" onClick={() => onSpan(first)}>
            span {first}
          </button>
          : with {move.length === 1 ? "it" : "them"} {share(right.with)}, without {share(right.without)}; {oneLine(by)}{" "}
          went on{without === "ever" && ", never making the move again"}
        </p>
      ))}
      {span !== undefined && (
        <p className="quiet">
          Does the marked span matter?{" "}
          <code>{`repertoire traces fork ${oneLine(run)} --checkpoint ${oneLine(rollout.source)} --span '${oneLine(rollout.problem)}#${rollout.attempt}:${span}'`}</code>
        </p>
      )}
    </section>
  );
}
