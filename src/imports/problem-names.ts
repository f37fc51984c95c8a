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
