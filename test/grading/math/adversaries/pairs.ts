// How pairs are made from tables: words, units, marks and rules crossed with the places they stand in, written before the grader was
// asked. `paid` must be equal, `unpaid` never is. Every pair is our own.

export type Pairs = {
  readonly paid: readonly (readonly [gold: string, response: string])[];
  readonly unpaid: readonly (readonly [gold: string, response: string])[];
};

export const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** A gold answer and its responses on a line, `gold ¦ response ¦ response`; ⏎ is a line end. */
export const pairs = (text: string): [string, string][] =>
  lines(text).flatMap((line) => {
    const [gold, ...responses] = line.replaceAll("⏎", "\n").split(" ¦ ");
    return responses.map((response): [string, string] => [gold, response]);
  });

/** Each line in the place of @. */
export const each = (words: string, gold: string, places: readonly string[]): [string, string][] =>
  lines(words).flatMap((word) => places.map((place): [string, string] => [gold, place.replace("@", word)]));

/** Every ordered pair of different lines. */
export const apart = (things: string): [string, string][] =>
  lines(things).flatMap((one, i) =>
    lines(things).flatMap((other, j): [string, string][] => (i === j ? [] : [[one, other]])),
  );
