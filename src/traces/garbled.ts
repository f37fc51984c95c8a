// Text that is no reasoning any more: the same words over and over, or letters of scripts that nobody asked for.

/** What a loop must fill, how often it must come round, how long one round may be, and how closely a text is looked at. */
const [loopLength, loopRounds, longestRound, looked] = [200, 8, 300, 100];
/** What is looked for again. */
const piece = 24;

/** Whether one piece is repeated, anywhere in the text. */
export function hasLoop(given: string): boolean {
  const text = given.trimEnd();
  for (let at = text.length - loopLength; at > -looked; at -= looked) if (loopsFrom(text, Math.max(0, at))) return true;
  return false;
}

function loopsFrom(text: string, at: number): boolean {
  const begins = text.slice(at, at + piece);
  const near = text.slice(at, at + longestRound + piece);
  for (let round = near.indexOf(begins, 1); round !== -1; round = near.indexOf(begins, round + 1)) {
    const end = at + Math.max(loopLength, loopRounds * round);
    if (end > text.length || text.slice(at, end - round) !== text.slice(at + round, end)) continue;
    // Rules of dashes and rows of zeros are drawn on purpose, unless nothing follows them.
    return /\p{L}/u.test(near.slice(0, round)) || end > text.length - looked;
  }
  return false;
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

/** Latin and Greek letters, and signs: of most texts that is all, and it is found out quickly. */
const plain = /^[\s!-\u024f\u0370-\u03ff\u2000-\u2bff]*$/;

/** Letters of another script than most, in which a mixture is one: so many, and such a share. */
const [fewestMixed, leastMixed] = [20, 0.02];

/** Whether a text changes its script on the way; numbers, signs and variables in Latin letters belong to every one. */
export function mixesScripts(text: string): boolean {
  if (plain.test(text)) return false;
  const counts = scripts.map((script) => text.match(script)?.length ?? 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const [latin, ...others] = counts;
  const most = Math.max(...others);
  // Between Latin and one other the rarer one is the guest; variables are few letters, and Latin words among others' are usual.
  const guests = latin >= most ? all - latin : all - latin - most;
  return guests >= fewestMixed && guests >= leastMixed * all;
}

export const isGarbled = (text: string): boolean => hasLoop(text) || mixesScripts(text);
