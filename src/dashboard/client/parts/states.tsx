// What a page shows when it has nothing else to show: waiting, empty, refused, incomplete. Each says what to do.
import type { ReactNode } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { Gap } from "../../api.ts";
import type { Asked } from "../data/use-reply.ts";

export function Waiting({ children = "Reading …" }: { readonly children?: ReactNode }) {
  return (
    <p className="waiting" role="status">
      {children}
    </p>
  );
}

export function Nothing({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="nothing">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ asked }: { readonly asked: Asked<unknown> }) {
  const { failure, again } = asked;
  if (failure === undefined) return null;
  return (
    <div className="failure" role="alert">
      <p>
        <b>{failure.status === undefined ? "No connection" : "This could not be shown"}</b>:{" "}
        {visibleText(failure.message)}
      </p>
      {failure.status === undefined && (
        <p>
          Start it again with <code>repertoire dashboard</code>; this page goes on by itself.
        </p>
      )}
      {failure.status !== 400 && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The reply once it is there; until then what there is to say. */
export function Answered<Reply>({
  asked,
  children,
}: {
  readonly asked: Asked<Reply>;
  readonly children: (reply: Reply) => ReactNode;
}) {
  return (
    <>
      <Failure asked={asked} />
      {asked.reply === undefined ? asked.failure === undefined && <Waiting /> : children(asked.reply)}
    </>
  );
}

export function Gaps({ gaps, title = "Not here" }: { readonly gaps: readonly Gap[]; readonly title?: string }) {
  if (gaps.length === 0) return null;
  return (
    <details className="gaps" open={gaps.length <= 3}>
      <summary>
        {title}: {gaps.length === 1 ? "one thing" : `${gaps.length} things`}
      </summary>
      <ul>
        {gaps.map(({ missing, where, remedy }) => (
          <li key={`${missing} ${where}`}>
            <b>{visibleText(missing)}</b> <span className="quiet">{visibleText(where)}</span>
            <br />
            {visibleText(remedy)}
          </li>
        ))}
      </ul>
    </details>
  );
}
