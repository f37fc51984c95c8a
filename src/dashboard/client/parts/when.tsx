// A moment, said relative to now, with the exact one behind it.
import { agoText } from "../time-text.ts";

export function When({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span className="quiet">–</span>;
  return (
    <time dateTime={at} title={at}>
      {agoText(at, Date.now())}
    </time>
  );
}
