// Node's threads as web workers. Each begins with the files as they are then: it reads them and writes nothing that others
// would read. All run one script, whose roles its entry file tells.
import { files, type Snapshot } from "./files.ts";

type Message = { readonly data: unknown };
type Scope = {
  onmessage: ((message: Message) => void) | null;
  postMessage(data: unknown): void;
  readonly name: string;
};
declare class Thread {
  constructor(address: string, options: { readonly name: string });
  onmessage: ((message: Message) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(data: unknown): void;
  terminate(): void;
}

const scope = globalThis as unknown as Scope & {
  readonly Worker: typeof Thread;
  readonly location: { readonly href: string };
};

export const isMainThread = scope.name === "";

type Start = { readonly script: Blob; readonly snapshot: Snapshot; readonly workerData: unknown };

let script = new Blob([]);
let address: string | undefined;
/** The script that every thread runs. */
export const runThreadsFrom = (text: Blob): void => {
  script = text;
};

export class Worker {
  readonly #thread: Thread;

  constructor(file: URL, { workerData }: { readonly workerData?: unknown } = {}) {
    const role = /([\w-]+)\.js$/.exec(file.pathname)![1];
    // A worker of a page from a disk has an origin of its own, and starts nothing by the page's addresses.
    address ??= URL.createObjectURL(script);
    this.#thread = new scope.Worker(address, { name: role });
    this.#thread.postMessage({ script, snapshot: files.snapshot(), workerData } satisfies Start);
  }

  on(event: "message" | "error" | "exit", listener: (value: never) => void): this {
    if (event === "message") this.#thread.onmessage = ({ data }) => listener(data as never);
    if (event === "error")
      this.#thread.onerror = (failure) => {
        failure.preventDefault();
        listener(new Error(failure.message || "a worker could not be started") as never);
      };
    return this;
  }

  postMessage(data: unknown): void {
    this.#thread.postMessage(data);
  }

  async terminate(): Promise<void> {
    this.#thread.terminate();
  }

  ref(): void {}
  unref(): void {}
}

export let parentPort: {
  on(event: "message", listener: (data: never) => void): void;
  postMessage(data: unknown): void;
} | null = null;
export let workerData: unknown;

/** In a thread: takes over what it begins with, then becomes what its name says. */
export function playRole(roles: Readonly<Record<string, () => Promise<unknown>>>): void {
  const waiting: unknown[] = [];
  let listener: ((data: never) => void) | undefined;
  scope.onmessage = ({ data }) => {
    const start = data as Start;
    runThreadsFrom(start.script);
    files.restore(start.snapshot);
    workerData = start.workerData;
    scope.onmessage = ({ data: later }) => (listener === undefined ? waiting.push(later) : listener(later as never));
    parentPort = {
      on: (_, own) => {
        listener = own;
        for (const early of waiting.splice(0)) own(early as never);
      },
      postMessage: (message) => scope.postMessage(message),
    };
    void roles[scope.name]();
  };
}
