// What a problem is called in an imported run. Programs number their problems within a task, so that one name may stand for
// several: a problem is its set, its name and what was asked.
import { createHash } from "node:crypto";
import { promptName } from "./row-values.ts";
import type { Trace } from "./trace.ts";

export class ProblemNames {
  /** By name: the set that has it for its own. */
  readonly #sets = new Map<string, string>();
  /** By checkpoint and name: what was asked. */
  readonly #asked = new Map<string, string>();

  of({ problem, set = "", prompt, checkpoint }: Trace): string {
    const owner = this.#sets.get(problem) ?? set;
    this.#sets.set(problem, owner);
    const name = owner === set ? problem : `${set || "no set"} ${problem}`;
    // Another checkpoint may well have been asked with another chat template.
    const key = `${checkpoint}\u0000${name}`;
    const digest = prompt === undefined ? undefined : createHash("sha256").update(prompt).digest("hex").slice(0, 8);
    const before = this.#asked.get(key);
    if (digest === undefined || before === digest) return name;
    if (before !== undefined) return `${name} (${digest})`;
    this.#asked.set(key, digest);
    return name;
  }
}

/** Whether ids name rollouts: each is there once, and what they ask repeats. */
export class UniqueIds {
  #ids: Set<string> | undefined = new Set();
  readonly #prompts = new Set<string>();

  add({ checkpoint, problem, set = "", prompt }: Trace): void {
    if (this.#ids === undefined) return;
    const id = `${checkpoint}\u0000${set}\u0000${problem}`;
    // An id that comes again is a problem's, and a problem without a prompt has no other name.
    if (!prompt || problem === promptName(prompt) || this.#ids.has(id)) {
      this.#ids = undefined;
      return;
    }
    this.#ids.add(id);
    this.#prompts.add(promptName(`${checkpoint}\u0000${prompt}`));
  }

  get nameAttempts(): boolean {
    return this.#ids !== undefined && this.#ids.size >= 1.5 * this.#prompts.size;
  }
}

const sampled = 64;

/** Which checkpoints call the same problems by the same names, seen by the first of them: files may each count from 0. */
export class Numberings {
  readonly #asked = new Map<string, Map<string, string>>();

  add({ checkpoint, problem, set = "", prompt }: Trace): void {
    const asked = this.#asked.get(checkpoint) ?? new Map<string, string>();
    if (!prompt || asked.size === sampled || problem === promptName(prompt)) return;
    this.#asked.set(checkpoint, asked);
    const name = `${set}\u0000${problem}`;
    if (!asked.has(name)) asked.set(name, prompt.slice(0, 10_000));
  }

  /** By checkpoint: the one whose numbering it shares, where that is not the first one's. */
  get apart(): Readonly<Record<string, string>> {
    const [first, ...others] = this.#asked;
    const numberings = first === undefined ? [] : [first];
    return Object.fromEntries(
      others.flatMap((one) => {
        const same = numberings.find(([, asked]) => asksTheSame(asked, one[1]));
        if (same === undefined) numberings.push(one);
        return same === first ? [] : [[one[0], (same ?? one)[0]]];
      }),
    );
  }
}

/** At least half of what both have names for, without what each puts around all of its questions. */
function asksTheSame(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): boolean {
  const names = [...first.keys()].filter((name) => second.has(name));
  if (names.length === 0) return true;
  const [a, b] = [first, second].map((asked) => questions(names.map((name) => asked.get(name)!)));
  const within = (one: string, other: string) => one.length >= 20 && other.includes(one);
  const same = names.filter((_, i) => a[i] === b[i] || within(a[i], b[i]) || within(b[i], a[i]));
  return 2 * same.length >= names.length;
}

function questions(prompts: readonly string[]): string[] {
  const [first] = prompts;
  const differ = (at: (text: string, i: number) => string | undefined) => {
    let i = 0;
    while (i < first.length && prompts.every((text) => at(text, i) === at(first, i))) i++;
    return i;
  };
  const start = prompts.length < 2 ? 0 : differ((text, i) => text[i]);
  const end = prompts.length < 2 ? 0 : differ((text, i) => text[text.length - 1 - i]);
  return prompts.map((text) =>
    text
      .slice(start, Math.max(start, text.length - end))
      .replace(/\s+/g, " ")
      .trim(),
  );
}
