// SQL over a run's analysis, for whoever has a question that no figure answers. It stands in the address, so that a view of it
// can be sent.
import { useState } from "react";
import type { AnalysisEntry } from "../../api.ts";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { counted } from "../number-text.ts";
import { TableView } from "../parts/items.tsx";
import { Answered } from "../parts/states.tsx";

const example =
  "SELECT checkpoint, count(*) AS traces, avg(correct) AS solved, avg(chain_depth) AS depth FROM traces GROUP BY 1";

export function QuerySection({ run, analysis }: { readonly run: string; readonly analysis: AnalysisEntry }) {
  const [{ sql }, change] = useQuery();
  const [text, setText] = useState(sql ?? example);
  const asked = useReply("query", sql === undefined ? undefined : { run, sql }, { meanwhile: "earlier" });
  return (
    <details className="section" open={sql !== undefined}>
      <summary>
        <h2>SQL</h2> <span className="quiet">over the tables traces, motifs and measures of {analysis.stage}</span>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change({ sql: text.trim() });
        }}
      >
        <textarea
          aria-label="Query in SQL"
          rows={4}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Ask</button>
      </form>
      {sql !== undefined && (
        <Answered asked={asked}>
          {({ table, rows }) => (
            <>
              <p className="quiet" role="status">
                {counted(rows, "row")}
                {rows > table.rows.length && `, the first ${table.rows.length} of them here`}
              </p>
              <TableView title="Answer" body={table} />
            </>
          )}
        </Answered>
      )}
    </details>
  );
}
