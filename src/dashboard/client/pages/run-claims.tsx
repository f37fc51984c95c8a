// What of the paper a run shows: every claim with its verdict and its evidence, as the run's analysis has them.
import { visibleText } from "../../../report/safe-text.ts";
import type { AnalysisEntry } from "../../api.ts";
import { useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { Scrolling } from "../parts/scrolling.tsx";

type Claim = AnalysisEntry["claims"][number];

/** A shape beside the word, so that color is never the only sign. */
const signs: Readonly<Record<Claim["verdict"], string>> = { shown: "●", "not shown": "○", reversed: "▼" };
const verdicts = Object.keys(signs) as Claim["verdict"][];

export function ClaimsSection({ claims }: { readonly claims: readonly Claim[] }) {
  const [query, change] = useQuery();
  if (claims.length === 0) return null;
  const wanted = verdicts.find((verdict) => verdict === query.claims);
  const shown = claims.filter(({ verdict }) => wanted === undefined || verdict === wanted);
  const count = (verdict: Claim["verdict"]) => claims.filter((claim) => claim.verdict === verdict).length;
  return (
    <section aria-labelledby="claims-title">
      <h2 id="claims-title">What this run shows of the paper</h2>
      <details open={wanted !== undefined}>
        <summary>{verdicts.map((verdict) => `${count(verdict)} ${verdict}`).join(", ")}</summary>
        <div className="filters">
          <Choice
            label="claims"
            value={wanted ?? ""}
            options={[
              { value: "", name: `all ${claims.length}` },
              ...verdicts.map((verdict) => ({ value: verdict, name: `${verdict} (${count(verdict)})` })),
            ]}
            onChange={(claims) => change({ claims })}
          />
        </div>
        <Scrolling name="Claims">
          <table className="claims">
            <thead>
              <tr>
                <th scope="col">verdict</th>
                <th scope="col">claim</th>
                <th scope="col">section</th>
                <th scope="col">on</th>
                <th scope="col">evidence</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ verdict, claim, section, scope, evidence }) => (
                <tr key={`${claim} ${scope}`}>
                  <td className={`claim-${verdict.replace(" ", "-")}`}>
                    <span aria-hidden="true">{signs[verdict]}</span> {verdict}
                  </td>
                  <th scope="row">{visibleText(claim)}</th>
                  <td>{visibleText(section)}</td>
                  <td>{visibleText(scope)}</td>
                  <td className="quiet">{visibleText(evidence)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      </details>
    </section>
  );
}
