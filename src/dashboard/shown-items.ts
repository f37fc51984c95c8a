// Everything that is shown of one run or several, as items: what the report shows, made by the same code in the indexing
// thread, and made again when a file of theirs has changed. Nothing is labeled for it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../base/http/body.ts";
import { ThreadEnded } from "../base/worker-thread.ts";
import type { WantedRun } from "../report/run-data.ts";
import { forksFolder } from "../traces/forks/fork-folder.ts";
import type { ItemsReply } from "./api.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import type { FoundRun } from "./run-discovery.ts";
import { filesOf } from "./run-state.ts";

type Made = { readonly version: string; readonly reply: Promise<ItemsReply>; readonly rested: Promise<void> };

/** Making them takes no more than this share of the time while a run is written, often on the same machine. */
const share = 0.1;
const longestRestMs = 30_000;

type Wanted = {
  /** In the order of the runs, those that a reader put together; an empty name is none. */
  readonly groups: readonly string[];
  /** Only this one of each run. */
  readonly checkpoint?: string;
};

/** A server that closes does not wait for it. */
const quietly = { ref: false };

const mostKept = 8;

export class ShownItems {
  readonly #thread: IndexingThread;
  readonly #made = new LeastRecentlyUsed<string, Made>(mostKept);

  constructor(thread: IndexingThread) {
    this.#thread = thread;
  }

  async of(home: string, found: readonly FoundRun[], wanted: Wanted): Promise<ItemsReply> {
    const { groups, checkpoint } = wanted;
    const runs = found.map(
      ({ folder, id, name }, i): WantedRun => ({
        ...{ path: folder, name: id === "." ? name : id },
        ...(groups[i] && { group: groups[i] }),
      }),
    );
    const key = JSON.stringify([runs, checkpoint]);
    const version = JSON.stringify(await Promise.all(found.map(versionOf)));
    const before = this.#made.peek(key);
    if (before !== undefined && before.version !== version) {
      await before.rested;
      if (this.#made.peek(key) === before) this.#made.delete(key);
      // Others may have waited, too, and files go on changing.
      else return this.of(home, found, wanted);
    }
    const made = this.#made.get(key, (): Made => {
      const making = this.#thread.items({ runs, checkpoint });
      const reply = making.then(
        ({ items }) => localReply(items, home),
        (error: unknown) => {
          if (error instanceof ThreadEnded) throw new Refusal(503, "the server was closing; ask again", 1);
          throw error;
        },
      );
      const rest = async () => {
        const { milliseconds } = await making;
        await sleep(Math.min(longestRestMs, milliseconds * (1 / share - 1)), undefined, quietly);
      };
      reply.catch(() => this.#made.delete(key));
      return { version, reply, rested: reply.then(rest, () => undefined) };
    });
    return made.reply;
  }
}

async function versionOf({ id, folder, stages }: FoundRun): Promise<unknown> {
  const forks = (await readdir(join(folder, forksFolder)).catch(() => [])).map((name) =>
    join(folder, forksFolder, name),
  );
  const folders = new Set([folder, join(folder, "choosing"), ...forks, ...stages.map((stage) => stage.folder)]);
  const files = await Promise.all([...folders].map((one) => filesOf(one).catch(() => [])));
  return [id, files.flat().map(({ path, size, changed }) => [path, size, changed])];
}

/** Pages do not say where on this machine the served folder lies. */
const localReply = (reply: ItemsReply, home: string): ItemsReply => ({
  ...reply,
  gaps: reply.gaps.map(({ missing, where, remedy }) => {
    const local = (text: string) => text.replaceAll(`${home}/`, "").replaceAll(home, ".");
    return { missing: local(missing), where: local(where), remedy: local(remedy) };
  }),
});
