// What of the paper a run shows: every claim with its verdict and its evidence, as the run's analysis has them.
import { visibleText } from "../../../drawing/safe-text.ts";
import type { AnalysisEntry } from "../../api.ts";
import { useQuery } from "../navigation.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Choice } from "../parts/fields.tsx";

type Claim = AnalysisEntry["claims"][number];

/** A shape beside the word, so that color is never the only sign. */
const signs: Readonly<Record<Claim["verdict"], string>> = { shown: "●", "not shown": "○", reversed: "▼" };
const verdicts = Object.keys(signs) as Claim["verdict"][];

const told = (name: "claim" | "section" | "scope" | "evidence"): Column<Claim> => ({
  ...{ name: name === "scope" ? "on" : name, naming: name === "claim" },
  by: (claim) => claim[name],
  cell: (claim) => visibleText(claim[name]),
});

const columns: readonly Column<Claim>[] = [
  {
    name: "verdict",
    by: ({ verdict }) => verdicts.indexOf(verdict),
    className: ({ verdict }) => `claim-${verdict.replace(" ", "-")}`,
    cell: ({ verdict }) => (
      <>
        <span aria-hidden="true">{signs[verdict]}</span> {verdict}
      </>
    ),
  },
  ...[told("claim"), told("section"), told("scope")],
  { ...told("evidence"), className: "quiet" },
];

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
        <DataTable
          name="Claims"
          className="claims"
          columns={columns}
          rows={shown}
          keyOf={({ claim, scope }) => `${claim} ${scope}`}
        />
      </details>
    </section>
  );
}
