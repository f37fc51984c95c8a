// The tokens of a span as the classifier sees them: hashes of lower-case words, numbers as one kind, LaTeX commands,
// single punctuation marks. No strings are made, because this runs for every span of gigabytes of traces.

import { isSpace } from "../segmentation.ts";

/** Very long spans are read at their ends only; what a span does is said there. */
const readWhole = 4096;
const readEnds = 2048;

const numberToken = hashOf("0");
/** Stands between the two ends of a span that was not read whole. */
const gapToken = hashOf("…");

export class TokenBuffer {
  hashes = new Uint32Array(1024);
  /** Index of the first token of each sentence; the number of tokens follows the last. */
  sentences = new Uint32Array(256);
  tokens = 0;
  sentenceCount = 0;
  /** Characters that end the text, lines in it, lines that open like a list item. */
  lastCharacter = 0;
  lines = 0;
  listItems = 0;
  questions = 0;
  digits = 0;

  read(text: string): void {
    this.tokens = 0;
    this.sentenceCount = 0;
    this.lines = 0;
    this.listItems = 0;
    this.questions = 0;
    this.digits = 0;
    if (text.length <= readWhole) {
      this.#scan(text, 0, text.length);
    } else {
      this.#scan(text, 0, readEnds);
      this.#push(gapToken);
      this.#scan(text, text.length - readEnds, text.length);
    }
    this.lastCharacter = lastVisible(text);
    if (this.sentenceCount + 1 > this.sentences.length) this.sentences = grown(this.sentences);
    this.sentences[this.sentenceCount] = this.tokens;
  }

  #push(hash: number): void {
    if (this.tokens === this.hashes.length) this.hashes = grown(this.hashes);
    this.hashes[this.tokens++] = hash;
  }

  #openSentence(): void {
    if (this.sentenceCount > 0 && this.sentences[this.sentenceCount - 1] === this.tokens) return;
    if (this.sentenceCount + 1 >= this.sentences.length) this.sentences = grown(this.sentences);
    this.sentences[this.sentenceCount++] = this.tokens;
  }

  #scan(text: string, start: number, end: number): void {
    let opening = true;
    let lineStart = true;
    for (let i = start; i < end; ) {
      const code = text.charCodeAt(i);
      if (isSpace(code)) {
        if (code === 10) {
          this.lines += 1;
          opening = true;
          lineStart = true;
        }
        i += 1;
        continue;
      }
      if (opening) {
        this.#openSentence();
        opening = false;
      }
      if (lineStart) {
        if (opensListItem(text, i, end)) this.listItems += 1;
        lineStart = false;
      }
      if (isWord(code)) {
        i = this.#word(text, i, end);
      } else if (isDigit(code)) {
        i = this.#number(text, i, end);
      } else if (code === 92 && i + 1 < end && isWord(text.charCodeAt(i + 1))) {
        i = this.#word(text, i, end);
      } else {
        this.#push(mixed(code + 0x10000));
        if (code === 63) this.questions += 1;
        i += 1;
        if ((code === 46 || code === 33 || code === 63 || code === 58) && (i >= end || isSpace(text.charCodeAt(i)))) {
          opening = true;
        }
      }
    }
  }

  /** From a letter or a backslash to the end of the word; `don't` is one word, however its apostrophe is written. */
  #word(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    let i = start;
    for (; i < end; i++) {
      let code = text.charCodeAt(i);
      if (code >= 65 && code <= 90) {
        code += 32;
      } else if (!isWord(code)) {
        const apostrophe = code === 39 || code === 0x2019;
        if (i !== start && !(apostrophe && i + 1 < end && isWord(text.charCodeAt(i + 1)))) break;
        if (apostrophe) code = 39;
      }
      hash = Math.imul(hash ^ code, 0x01000193);
    }
    this.#push(mixed(hash));
    return i;
  }

  #number(text: string, start: number, end: number): number {
    let i = start;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      if (isDigit(code)) this.digits += 1;
      else if (!((code === 46 || code === 44) && i + 1 < end && isDigit(text.charCodeAt(i + 1)))) break;
    }
    this.#push(numberToken);
    return i;
  }
}

/** The hash of a word as `TokenBuffer` would give it. */
export function hashOf(word: string): number {
  if (word === "0") return mixed(0x5bd1e995);
  if (word.length === 1 && !isWord(word.charCodeAt(0))) return mixed(word.charCodeAt(0) + 0x10000);
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

export function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters of any script; symbols beyond ASCII (arrows, dashes, quotes, ×) are marks of their own. */
function isWord(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
  return (
    code >= 0xc0 &&
    code !== 0xd7 &&
    code !== 0xf7 &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x303f)
  );
}

/** `- `, `* `, `• `, `3. `, `3) ` */
function opensListItem(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  if (code === 45 || code === 42 || code === 0x2022) return start + 1 < end && isSpace(text.charCodeAt(start + 1));
  let i = start;
  while (i < end && i < start + 3 && isDigit(text.charCodeAt(i))) i += 1;
  if (i === start || i + 1 >= end) return false;
  const mark = text.charCodeAt(i);
  return (mark === 46 || mark === 41) && isSpace(text.charCodeAt(i + 1));
}

function lastVisible(text: string): number {
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (!isSpace(code)) return code;
  }
  return 0;
}

function grown(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(old.length * 2);
  larger.set(old);
  return larger;
}
