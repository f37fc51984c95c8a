// Finds the cue phrases in a run of tokens: one walk through a trie of token hashes from every position.
import { cuePhrases } from "./cue-lexicon.ts";
import { hashOf, type TokenBuffer, TokenBuffer as Tokens } from "./tokens.ts";

export const cues: readonly string[] = Object.keys(cuePhrases);

type Node = { readonly next: Map<number, Node>; cues: number[] };

const sentenceStart = hashOf("^sentence");

const emptyNode = (): Node => ({ next: new Map(), cues: [] });

/** Every reading of a phrase: brackets multiplied out. */
export function readings(phrase: string): string[] {
  const bracket = phrase.match(/\[([^\]]*)\]/);
  if (bracket === null) return [phrase.replace(/\s+/g, " ").trim()];
  const [whole, inside] = bracket;
  return inside.split("|").flatMap((choice) => readings(phrase.replace(whole, () => choice)));
}

function buildTrie(): Node {
  const root = emptyNode();
  const tokens = new Tokens();
  cues.forEach((cue, index) => {
    for (const phrase of cuePhrases[cue]) {
      for (const reading of readings(phrase)) {
        const anchored = reading.startsWith("^ ");
        tokens.read(anchored ? reading.slice(2) : reading);
        let node = root;
        const path = [...(anchored ? [sentenceStart] : []), ...tokens.hashes.subarray(0, tokens.tokens)];
        for (const hash of path) {
          let child = node.next.get(hash);
          if (child === undefined) {
            child = emptyNode();
            node.next.set(hash, child);
          }
          node = child;
        }
        if (!node.cues.includes(index)) node.cues.push(index);
      }
    }
  });
  return root;
}

const trie = buildTrie();
const anchoredTrie = trie.next.get(sentenceStart) ?? emptyNode();

/** Calls `found` with each cue and the sentence it starts in. */
export function eachCue(buffer: TokenBuffer, found: (cue: number, sentence: number) => void): void {
  const { hashes, tokens, sentences, sentenceCount } = buffer;
  for (let sentence = 0; sentence < sentenceCount; sentence++) {
    const start = sentences[sentence];
    const end = sentences[sentence + 1];
    walk(anchoredTrie, start);
    for (let i = start; i < end; i++) walk(trie, i);

    function walk(from: Node, at: number): void {
      let node = from;
      for (let i = at; i < tokens; i++) {
        const child = node.next.get(hashes[i]);
        if (child === undefined) return;
        for (const cue of child.cues) found(cue, sentence);
        node = child;
      }
    }
  }
}
