// The torch-engine's programs for tests: forks of one Python process that has imported torch and transformers, which takes
// longer than most of them run.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const packages = ["torch", "transformers", "safetensors", "numpy", "peft", "huggingface_hub"];
const found = spawnSync(python, [
  "-c",
  `import importlib.util as u, sys; sys.exit(any(u.find_spec(name) is None for name in ${JSON.stringify(packages)}))`,
]);

/** Why tests of the torch-engine are skipped here; undefined where they run. */
export const withoutTorch =
  found.status === 0
    ? undefined
    : `${python} has not all of ${packages.join(", ")}; set REPERTOIRE_PYTHON to one that has`;
if (withoutTorch !== undefined) console.log(`skipping what needs PyTorch: ${withoutTorch}`);

type Ended = { readonly code: number; readonly out: readonly string[]; readonly errors: string };
export type TorchProgram = {
  readonly pid: number;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
};
type Told = { readonly pid: number; readonly started?: true; out?: string; error?: string; code?: number };
type Running = {
  readonly out: string[];
  readonly errors: string[];
  heard: (line: string) => void;
  end: (code: number) => void;
};

export class TorchHost {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #running = new Map<number, Running>();
  #process: ChildProcess | undefined;
  #started: (program: TorchProgram) => void = () => {};

  /** `environment`: what is read when packages are imported. */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = environment;
  }

  /** One after another: the next is begun when this one has been. */
  run(
    module: string,
    given: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<TorchProgram> {
    this.#process ??= this.#open();
    return new Promise((resolve, reject) => {
      this.#process!.once("exit", () => reject(new Error("the Python process of the tests ended")));
      this.#started = resolve;
      this.#process!.stdin!.write(`${JSON.stringify({ module, arguments: given, environment })}\n`);
    });
  }

  #open(): ChildProcess {
    const host = spawn(python, [join(import.meta.dirname, "torch-host.py")], {
      env: { ...process.env, ...this.#environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
    host.setMaxListeners(0);
    createInterface(host.stdout!).on("line", (line) => this.#hear(JSON.parse(line) as Told));
    return host;
  }

  #hear({ pid, started, out, error, code }: Told): void {
    if (started) {
      const running: Running = { out: [], errors: [], heard: () => {}, end: () => {} };
      this.#running.set(pid, running);
      const ended = new Promise<Ended>((resolve) => {
        running.end = (code) => resolve({ code, out: running.out, errors: running.errors.join("\n") });
      });
      const firstLine = new Promise<string>((resolve, reject) => {
        running.heard = resolve;
        ended.then(({ errors }) => reject(new Error(`it ended without a word: ${errors}`)));
      });
      firstLine.catch(() => {});
      this.#started({ pid, firstLine, ended });
      return;
    }
    const running = this.#running.get(pid)!;
    if (out !== undefined) {
      running.out.push(out);
      running.heard(out);
    }
    if (error !== undefined) running.errors.push(error);
    if (code === undefined) return;
    this.#running.delete(pid);
    running.end(code);
  }

  /** A program that is killed says nothing more. */
  kill({ pid }: TorchProgram, signal: NodeJS.Signals = "SIGTERM"): void {
    if (this.#running.delete(pid)) process.kill(pid, signal);
  }

  close(): void {
    for (const pid of this.#running.keys()) process.kill(pid);
    this.#process?.removeAllListeners("exit");
    this.#process?.kill();
  }
}
