// Sticky patterns, by which the readers go along a text.

/** What a sticky pattern finds at a place of a text. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
