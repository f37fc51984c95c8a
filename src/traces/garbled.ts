// Text that is no reasoning any more: the same words over and over at its end, or letters of scripts that nobody asked for.

/** What a loop must fill at the end of a text, how often it must come round, and how long one round may be. */
const [loopLength, loopRounds, longestRound] = [200, 8, 300];
const lookedAt = longestRound * loopRounds;

/** Whether the end of a text is one piece repeated. */
export function endsInLoop(text: string): boolean {
  const end = text.trimEnd().slice(-lookedAt);
  // Read backwards: from `period` on it is like its beginning, for `same[period]` characters.
  const backwards = Array.from({ length: end.length }, (_, i) => end.charCodeAt(end.length - 1 - i));
  const same = matchingStarts(backwards);
  for (let period = 1; period <= Math.min(longestRound, end.length - 1); period++)
    if (same[period] + period >= Math.max(loopLength, loopRounds * period)) return true;
  return false;
}

/** From each place on, how long it is like the beginning (the Z function). */
function matchingStarts(codes: readonly number[]): Uint32Array {
  const same = new Uint32Array(codes.length);
  let [left, right] = [0, 0];
  for (let i = 1; i < codes.length; i++) {
    if (i < right) same[i] = Math.min(right - i, same[i - left]);
    while (i + same[i] < codes.length && codes[same[i]] === codes[i + same[i]]) same[i] += 1;
    if (i + same[i] > right) [left, right] = [i, i + same[i]];
  }
  return same;
}

// Greek is everybody's: mathematics is written in it.
const scripts = [
  /\p{Script=Latin}/gu,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hangul}/gu,
  /\p{Script=Devanagari}/gu,
  /\p{Script=Thai}/gu,
  /\p{Script=Hebrew}/gu,
];

/** Letters of another script than most, in which a mixture is one: so many, and such a share. */
const [fewestMixed, leastMixed] = [20, 0.05];

/** Whether a text changes its script on the way; numbers, signs and variables in Latin letters belong to every one. */
export function mixesScripts(text: string): boolean {
  const counts = scripts.map((script) => text.match(script)?.length ?? 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const [latin, ...others] = counts;
  const most = Math.max(...others);
  // Between Latin and one other the rarer one is the guest; variables are few letters, and Latin words among others' are usual.
  const guests = latin >= most ? all - latin : all - latin - most;
  return guests >= fewestMixed && guests >= leastMixed * all;
}

export const isGarbled = (text: string): boolean => endsInLoop(text) || mixesScripts(text);
