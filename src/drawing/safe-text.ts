// Text that somebody else wrote (traces, names of runs and problems) on its way into markup. What a reader cannot see, or
// what would reorder the page around it, is written out; everything else is shown as the characters it is.

/** Bidirectional controls, zero-width characters, separators: invisible, and some of them move what stands beside them. */
const invisible = /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const loneSurrogates = /[\ud800-\udfff]/gu;

const named = (character: string) => `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}›`;

/** Every character visible; lines and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(controls, named).replace(invisible, named).replace(loneSurrogates, named);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element content and quoted attributes, of HTML and of SVG alike. */
export function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character]);
}

/** On one line, for titles, cells and file names in prose. */
export const oneLine = (text: string): string => visibleText(text).replace(/\s+/g, " ").trim();
