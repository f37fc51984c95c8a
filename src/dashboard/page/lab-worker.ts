// The script of every worker of a page: one without a name is a lab, which holds one run; the others are the threads that
// the lab's code starts to read, to label and to index. The shipped classifier comes with it.
import { messageOf } from "../../base/errors.ts";
import { Lab } from "./lab.ts";
import type { FromLab, ToLab } from "./messages.ts";
import { Buffer } from "./system/buffer.ts";
import { files } from "./system/files.ts";
import { isMainThread, playRole, runThreadsFrom } from "./system/worker_threads.ts";

/** Its files by name, base64; put before this when a page is written. */
declare const SHIPPED_CLASSIFIER: Readonly<Record<string, string>>;

type Scope = { onmessage: (message: { readonly data: ToLab }) => void; postMessage(data: FromLab): void };
const page = globalThis as unknown as Scope;

function serve(): void {
  let lab: Promise<Lab> | undefined;
  page.onmessage = async ({ data }) => {
    if ("open" in data) {
      for (const [name, text] of Object.entries(SHIPPED_CLASSIFIER))
        files.put(`/models/span-classifier/${name}`, new Blob([Buffer.from(text, "base64")]));
      runThreadsFrom(data.script);
      lab = Lab.open(data.name, data.open, (news) => page.postMessage(news));
      lab.then(
        () => page.postMessage({ opened: true }),
        (error) => page.postMessage({ failed: messageOf(error) }),
      );
      return;
    }
    const { id, route, query } = data;
    try {
      page.postMessage({ id, ...(await (await lab!).answer(route, query)) });
    } catch (error) {
      page.postMessage({ id, status: 500, refused: messageOf(error) });
    }
  };
}

if (isMainThread) serve();
else
  playRole({
    "read-worker": () => import("../../imports/read-worker.ts"),
    "slice-worker": () => import("../../traces/slice-worker.ts"),
    "indexing-worker": () => import("../indexing-worker.ts"),
  });
