// How much a chat template may do. Templates come with models from anywhere, and loops inside loops can go on for ever;
// every step, item and character that one works through is counted, and one that goes too far is named instead of waited for.
import { DataError } from "../../base/errors.ts";

/** A long conversation takes some ten thousand; these are used up in about a second. */
const maxSteps = 5_000_000;
const charactersPerStep = 64;
const longestText = 8 << 20;

/** Rendering is synchronous, so one template at a time spends from this. */
let left = Number.POSITIVE_INFINITY;

/** Does some work of a template within its bounds; running out of stack or of memory for a text is one of them. */
export function withinBounds<T>(work: () => T): T {
  const before = left;
  left = maxSteps;
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DataError(`the chat template goes too deep or makes too long a text (${error.message})`);
  } finally {
    left = before;
  }
}

export function spend(steps = 1): void {
  left -= steps;
  if (left < 0) throw new DataError(`the chat template does not end within ${maxSteps} steps`);
}

/** A text that a template makes or works through. */
export function spendText(text: string): string {
  if (text.length > longestText)
    throw new DataError(`the chat template makes a text of more than ${longestText >> 20} MiB`);
  spend(Math.ceil(text.length / charactersPerStep));
  return text;
}
