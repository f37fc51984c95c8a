// What should wake somebody at night: alarms over the steps of a training run, whoever ran it. Each looks at the last steps
// against the first ones, because a single step is mostly luck; what is not known of a run raises none.
import { mean } from "../base/statistics/descriptive.ts";
import { defaultRecoveryShare, monitorWindow, recoveryMonitor, recoveryMoves } from "./curves.ts";
import type { RecordedRlStep } from "./recorded-events.ts";

/** What a step shows of itself; shares are of its rollouts, or of its groups. */
export type StepSigns = {
  readonly step: number;
  /** Moves of recovery per trace. */
  readonly recovery?: number;
  /** Nats per token. */
  readonly entropy?: number;
  readonly tokens?: number;
  readonly truncated?: number;
  /** Of groups of several attempts: all of them right, or all of them wrong, which leaves no gradient. */
  readonly allRight?: number;
  readonly allWrong?: number;
  /** Loops of the same words, or scripts that nobody asked for. */
  readonly garbled?: number;
  /** Of those that both graded: the trainer says otherwise than we do. */
  readonly disagreeing?: number;
  /** Without a final answer in a box or in tags. */
  readonly unboxed?: number;
  /** Word for word like another attempt at the same problem. */
  readonly identical?: number;
};

export type Alarm = {
  readonly about: Exclude<keyof StepSigns, "step"> | "groups";
  readonly step: number;
  readonly words: string;
};

export type AlarmLimits = {
  readonly entropyCollapse: number;
  readonly entropyBlowUp: number;
  readonly recoveryShare: number;
};
export const defaultAlarms: AlarmLimits = {
  entropyCollapse: 0.2,
  entropyBlowUp: 3,
  recoveryShare: defaultRecoveryShare,
};

const percent = (share: number) => `${Math.round(100 * share)}%`;

/** Undefined where nothing is wrong; a policy that begins sure of itself has no entropy to lose. */
export function entropyWarning(
  start: number,
  now: number,
  { entropyCollapse, entropyBlowUp }: AlarmLimits,
): string | undefined {
  if (start <= 0) return undefined;
  const times = (now / start).toFixed(2);
  if (now < entropyCollapse * start) return `entropy is collapsing: ${times} of its start`;
  return now > entropyBlowUp * start ? `entropy is blowing up: ${times} of its start` : undefined;
}

/** Of a loop of ours, what it wrote down of a step. */
export function signsOfStep(recorded: RecordedRlStep, recover: readonly string[]): StepSigns {
  const { step, entropy, responseTokens, truncatedShare, groups, primitives, labeledBy } = recorded;
  // Counts that nobody signs are nobody's.
  const recovery = labeledBy === undefined ? undefined : recoveryMoves(primitives, recover);
  return {
    ...{ step, entropy, tokens: responseTokens.mean },
    ...(recovery !== undefined && { recovery }),
    ...(truncatedShare !== undefined && { truncated: truncatedShare }),
    ...groups,
  };
}

/** A share that is this large, and has grown by as much, is no accident. */
const risen: readonly {
  readonly about: keyof StepSigns & Alarm["about"];
  readonly by: number;
  readonly words: (now: number, start: number) => string;
}[] = [
  {
    ...{ about: "truncated", by: 0.1 },
    words: (now, start) =>
      `${percent(now)} of rollouts end at their budget, ${percent(start)} at the start: what is cut off earns nothing, so raise the budget or find out what it is spent on`,
  },
  {
    ...{ about: "garbled", by: 0.05 },
    words: (now, start) =>
      `${percent(now)} of rollouts are garbled (the same words over and over, or scripts that nobody asked for), ${percent(start)} at the start`,
  },
  {
    ...{ about: "unboxed", by: 0.15 },
    words: (now, start) =>
      `${percent(now)} of rollouts have no final answer in a box or in tags, ${percent(start)} at the start: a grader may miss right answers`,
  },
  {
    ...{ about: "identical", by: 0.15 },
    words: (now, start) =>
      `${percent(now)} of rollouts are word for word like another attempt at their problem, ${percent(start)} at the start: nothing is explored`,
  },
];

/** So many groups without a gradient, and so many verdicts that differ, are too many at any time. */
const [deadGroups, disagreements] = [0.8, 0.05];
/** So many times longer or shorter than at the start. */
const lengthFactor = 2;

export function alarmsOf(
  steps: readonly StepSigns[],
  recover: readonly string[],
  limits: AlarmLimits = defaultAlarms,
): Alarm[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const ends = (about: Exclude<keyof StepSigns, "step">) => {
    const known = steps.flatMap((one) => (Number.isFinite(one[about]) ? [one[about]!] : []));
    // Before the two windows part, now is the start.
    if (known.length <= monitorWindow) return undefined;
    return { start: mean(known.slice(0, monitorWindow)), now: mean(known.slice(-monitorWindow)) };
  };
  const found: (Omit<Alarm, "step"> | undefined)[] = [];
  const add = (about: Alarm["about"], words: string | undefined) =>
    found.push(words === undefined ? undefined : { about, words });
  const moves = steps.flatMap(({ recovery }) => (Number.isFinite(recovery) ? [recovery!] : []));
  add("recovery", recoveryMonitor(moves, recover, limits.recoveryShare).warning);
  const entropy = ends("entropy");
  add("entropy", entropy && entropyWarning(entropy.start, entropy.now, limits));
  const tokens = ends("tokens");
  if (tokens !== undefined && tokens.start > 0) {
    const times = tokens.now / tokens.start;
    const words = `responses have ${Math.round(tokens.now)} tokens, ${times.toFixed(1)} times as many as at the start`;
    if (times > lengthFactor) add("tokens", `length is blowing up: ${words}`);
    if (times < 1 / lengthFactor) add("tokens", `length is collapsing: ${words}`);
  }
  const [right, wrong] = [ends("allRight")?.now ?? 0, ends("allWrong")?.now ?? 0];
  if (right + wrong >= deadGroups)
    add(
      "groups",
      `${percent(right + wrong)} of groups have no gradient (${percent(right)} all right, ${percent(wrong)} all wrong): the problems are too ${right > wrong ? "easy" : "hard"} to learn from`,
    );
  const differing = ends("disagreeing");
  if (differing !== undefined && differing.now >= disagreements)
    add(
      "disagreeing",
      `the trainer's score and our grade disagree on ${percent(differing.now)} of rollouts, ${percent(differing.start)} at the start: its grader is wrong, or is being gamed`,
    );
  for (const { about, by, words } of risen) {
    const share = ends(about as Exclude<keyof StepSigns, "step">);
    if (share !== undefined && share.now >= share.start + by) add(about, words(share.now, share.start));
  }
  return found.flatMap((alarm) => (alarm === undefined ? [] : [{ ...alarm, step: last.step }]));
}
