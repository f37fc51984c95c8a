// The pieces of a chat template: plain text, `{{ … }}` and `{% … %}` with their tokens. White space is treated as
// transformers sets Jinja up: a tag alone on its line leaves no trace of that line.
import { DataError } from "../../base/errors.ts";

export type Token = {
  readonly kind: "name" | "number" | "string" | "operator";
  readonly text: string;
  readonly value?: string | number;
};

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print" | "block"; readonly tokens: readonly Token[] };

const opening = /\{\{|\{%|\{#/g;
const closings = { "{{": "}}", "{%": "%}" } as const;
const rawEnd = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
const tokenPattern =
  /\s+|([A-Za-z_]\w*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(==|!=|<=|>=|\/\/|\*\*|[-+*/%~<>=|()[\]{},:.])/y;

export function templatePieces(template: string): Piece[] {
  const source = template.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const pieces: Piece[] = [];
  const say = (text: string) => {
    if (text !== "") pieces.push({ kind: "text", text });
  };
  let at = 0;
  while (at < source.length) {
    opening.lastIndex = at;
    const found = opening.exec(source);
    if (found === null) {
      say(source.slice(at));
      break;
    }
    const open = found[0] as "{{" | "{%" | "{#";
    const sign = source[found.index + 2];
    say(before(source, at, found.index, open, sign));
    const inside = found.index + 2 + (sign === "-" || sign === "+" ? 1 : 0);
    if (open === "{#") {
      const end = source.indexOf("#}", inside);
      if (end === -1) throw new DataError(`the chat template has a comment without end ${place(source, found.index)}`);
      at = after(source, end + 2, source[end - 1], open);
      continue;
    }
    const { tokens, end, endSign } = readTag(source, inside, closings[open]);
    at = after(source, end, endSign, open);
    if (open === "{%" && tokens.length === 1 && tokens[0].text === "raw") {
      rawEnd.lastIndex = at;
      const close = rawEnd.exec(source);
      if (close === null) throw new DataError("the chat template has a raw block without end");
      say(before(source, at, close.index, "{%", source[close.index + 2]));
      at = after(source, close.index + close[0].length, source[close.index + close[0].length - 3], "{%");
    } else {
      pieces.push({ kind: open === "{{" ? "print" : "block", tokens });
    }
  }
  return pieces;
}

/** Text up to a tag: without its trailing space for `{%-`, without the indent of a block that begins its line. */
function before(source: string, from: number, to: number, open: string, sign: string): string {
  const text = source.slice(from, to);
  if (sign === "-") return text.trimEnd();
  if (sign === "+" || open === "{{") return text;
  const line = text.lastIndexOf("\n") + 1;
  const beginsLine = line > 0 || from === 0 || source[from - 1] === "\n";
  return beginsLine && /^[^\S\n]*$/.test(text.slice(line)) ? text.slice(0, line) : text;
}

/** Where the text after a tag begins: past all white space for `-%}`, past one line break after a block. */
function after(source: string, end: number, sign: string, open: string): number {
  if (sign === "-") return end + /^\s*/.exec(source.slice(end))![0].length;
  return open !== "{{" && sign !== "+" && source[end] === "\n" ? end + 1 : end;
}

function readTag(source: string, from: number, closing: string) {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = from; ; ) {
    if (depth === 0) {
      const sign = source[at] === "-" || source[at] === "+" ? source[at] : "";
      if (source.startsWith(closing, at + sign.length))
        return { tokens, end: at + sign.length + closing.length, endSign: sign };
    }
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(source);
    if (match === null) throw new DataError(`the chat template cannot be read ${place(source, at)}`);
    const [text, name, number, string, operator] = match;
    if (name !== undefined) tokens.push({ kind: "name", text });
    else if (number !== undefined) tokens.push({ kind: "number", text, value: Number(number) });
    else if (string !== undefined) tokens.push({ kind: "string", text, value: unescaped(string.slice(1, -1)) });
    else if (operator !== undefined) {
      tokens.push({ kind: "operator", text });
      if ("([{".includes(text)) depth += 1;
      if (")]}".includes(text)) depth -= 1;
    }
    at += text.length;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (whole, long, short, letter: string) => {
    const code = long ?? short;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[letter] ?? (/[\\'"]/.test(letter) ? letter : whole);
  });

const place = (source: string, at: number) => `near ${JSON.stringify(source.slice(at, at + 40))}`;
