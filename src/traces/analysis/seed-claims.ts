// Claims over runs that differ in the seed alone. Intervals over problems hold for the networks of one run; here the seed is what is
// drawn again, each claim is judged by its change in every run, and the seeds are named.
import { bothOf, type Claim, effectText, intervalText, type Judged, withAdjusted } from "./claims.ts";
import { judgedOverSeeds } from "./verdicts.ts";

type SeededClaims = { readonly seed: string; readonly claims: readonly Claim[] };

type Seeded = { readonly seed: string; readonly claim: Claim };

export function claimsOverSeeds(runs: readonly SeededClaims[]): Claim[] {
  const sentences = new Map<string, Seeded[]>();
  for (const { seed, claims } of runs)
    for (const claim of claims) {
      const key = [claim.section, claim.claim, claim.scope].join("\u0000");
      sentences.set(key, [...(sentences.get(key) ?? []), { seed, claim }]);
    }
  const repeated = [...sentences.values()].filter(({ length }) => length > 1);
  return withAdjusted(
    repeated.map((own): Claim => {
      const [{ claim: first }] = own;
      const { section, claim, scope, pair } = first;
      const [one, and] = first.findings.map((_, i) => judgedFinding(own, i));
      return { ...{ section, claim, scope, pair }, ...(and === undefined ? one : bothOf(one, and)) };
    }),
  );
}

function judgedFinding(own: readonly Seeded[], which: number): Judged {
  const known = own.flatMap(({ seed, claim: { findings } }) => {
    const { value, raw } = findings[which].estimate;
    return Number.isNaN(value) ? [] : [{ seed, value, ...(raw && { raw }) }];
  });
  const { test, direction, unit } = own[0].claim.findings[which];
  const { estimate, verdict, p, detectable } = judgedOverSeeds(known, direction, unit === "points" ? 1 : undefined);
  const text = (value: number) => effectText(value, unit);
  const suffix = unit === undefined ? "" : " points";
  const seen =
    detectable === undefined
      ? "; no two seeds differ"
      : verdict === "not shown"
        ? `; would have seen ${text(detectable)}${suffix} or more`
        : "";
  const seeds = known.map(({ seed, value }) => `${seed}: ${text(value)}`).join(", ");
  return {
    verdict,
    findings: [{ ...{ test, direction, estimate, problems: known.length }, ...(unit && { unit }) }],
    evidence: `${text(estimate.value)}${intervalText(estimate, text)}${suffix} over seeds (${seeds})${seen}`,
    ...(p !== undefined && { p }),
  };
}
