// Several verifiers over the same rollouts: where they disagree, and, once somebody has judged those, who is wrong how often.
import { clopperPearsonInterval, type Interval } from "../base/statistics/proportion-intervals.ts";

export type CourtVerdict = "right" | "wrong" | "undecided";

export type CourtCase = {
  readonly id: string;
  readonly problem: string;
  readonly gold: string;
  readonly response: string;
  /** By verifier; whoever said nothing of this rollout is not there. */
  readonly verdicts: Readonly<Record<string, CourtVerdict>>;
  /** Why our own verdict is what it is. */
  readonly because: string;
};

/** Some would pay, and some would not. */
export const divided = ({ verdicts }: CourtCase): boolean => {
  const paid = Object.values(verdicts).filter((verdict) => verdict === "right").length;
  return paid > 0 && paid < Object.keys(verdicts).length;
};

export type Share = Interval & { readonly count: number; readonly of: number };

export type Standing = {
  readonly verifier: string;
  readonly graded: number;
  readonly paid: number;
  readonly undecided: number;
  /** Among the disagreements that somebody judged: paid though wrong, and not paid though right. */
  readonly paidWrongly: Share;
  readonly refusedWrongly: Share;
};

/** `judged`: by the id of a case, whether the response is right. */
export function standings(cases: readonly CourtCase[], judged: ReadonlyMap<string, boolean>): Standing[] {
  const verifiers = [...new Set(cases.flatMap(({ verdicts }) => Object.keys(verdicts)))];
  return verifiers.map((verifier) => {
    const own = cases.filter(({ verdicts }) => verdicts[verifier] !== undefined);
    const said = (verdict: CourtVerdict) => own.filter(({ verdicts }) => verdicts[verifier] === verdict).length;
    const among = (isRight: boolean): Share => {
      const known = own.filter((one) => divided(one) && judged.get(one.id) === isRight);
      const count = known.filter(({ verdicts }) => (verdicts[verifier] === "right") !== isRight).length;
      const interval = known.length === 0 ? { low: 0, high: 1 } : clopperPearsonInterval(count, known.length);
      return { count, of: known.length, ...interval };
    };
    return {
      verifier,
      graded: own.length,
      paid: said("right"),
      undecided: said("undecided"),
      paidWrongly: among(false),
      refusedWrongly: among(true),
    };
  });
}
