// The outcome of comparing two parts of an answer, and how outcomes of parts make the outcome of the whole.

export type Outcome = "equal" | "different" | "undecided";
export type Equivalence = { readonly outcome: Outcome; readonly because: string };

export const equal = (because: string): Equivalence => ({ outcome: "equal", because });
export const different = (because: string): Equivalence => ({ outcome: "different", because });
export const undecided = (because: string): Equivalence => ({ outcome: "undecided", because });

/** Equal if any reading is; undecided if any might be. Readings are tried only as far as needed. */
export function anyOf(readings: Iterable<() => Equivalence>): Equivalence {
  let open: Equivalence | undefined;
  let refused: Equivalence | undefined;
  for (const reading of readings) {
    const result = reading();
    if (result.outcome === "equal") return result;
    if (result.outcome === "undecided") open ??= result;
    else refused ??= result;
  }
  return open ?? refused ?? undecided("nothing to compare");
}

/** Equal if all parts are; different if any part is. */
export function allOf(parts: Iterable<() => Equivalence>): Equivalence {
  let last: Equivalence | undefined;
  let open: Equivalence | undefined;
  for (const part of parts) {
    const result = part();
    if (result.outcome === "different") return result;
    if (result.outcome === "undecided") open ??= result;
    last = result;
  }
  return open ?? last ?? equal("nothing to tell apart");
}
