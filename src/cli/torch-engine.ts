// Starting torch-engine: the user's Python is looked at first, and what is missing is named with the command that helps.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import pc from "picocolors";
import { ConfigurationError, EngineError } from "../base/errors.ts";
import { onStopSignal } from "./interruption.ts";

/** Flags of its programs by their names here; what is undefined is not passed on. */
type TorchFlags = Readonly<Record<string, string | number | true | undefined>> & { readonly device: string };

const home = resolve(import.meta.dirname, "../../integrations/torch-engine");

/** What it needs, with the oldest version that will do. */
const needed = { torch: "2.8", transformers: "5.0", safetensors: "0.4", numpy: "1.26" } as const;

const environment = () => ({
  ...process.env,
  PYTHONPATH: [home, process.env.PYTHONPATH].filter(Boolean).join(":"),
  PYTHONUNBUFFERED: "1",
});

/** Serves until it is stopped. */
export async function serveTorchEngine(flags: TorchFlags & { readonly model: string }): Promise<void> {
  const python = process.env.REPERTOIRE_PYTHON || "python3";
  checkModel(flags.model);
  checkPython(python, flags.device);
  const child = spawn(python, ["-m", "repertoire_torch_engine", ...argumentsOf(flags)], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  console.error(`loading ${flags.model} on ${flags.device}`);
  createInterface(child.stdout).on("line", (line) => {
    const ready = readyUrl(line);
    if (ready === undefined) console.log(line);
    else sayHow(ready, flags.model);
  });
  let stopping = false;
  const release = onStopSignal(() => {
    // The first asks, the second does not.
    child.kill(stopping ? "SIGKILL" : "SIGTERM");
    stopping = true;
  });
  const code = await ended(child);
  release();
  if (stopping) console.error("stopped");
  else throw new EngineError(`the engine exited with ${code}; its output is above`);
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });

function checkModel(model: string): void {
  if (existsSync(model)) {
    if (!existsSync(join(model, "config.json")))
      throw new ConfigurationError(`--model ${model}: the folder has no config.json; give a Hugging Face model folder`);
    return;
  }
  // `owner/name` is a hub name; anything else was meant as a folder.
  if (!/^[\w.-]+\/[\w.-]+$/.test(model) || model.startsWith("."))
    throw new ConfigurationError(`--model ${model}: no such folder, and not a hub name (owner/name)`);
}

function checkPython(python: string, device: string): void {
  const names = Object.keys(needed);
  const script = [
    "import importlib.metadata as m, json, sys",
    "def version(name):",
    "    try: return m.version(name)",
    "    except m.PackageNotFoundError: return None",
    `found = {name: version(name) for name in ${JSON.stringify(names)}}`,
    "gpus = 0",
    "if found['torch']:",
    "    import torch",
    "    gpus = torch.cuda.device_count()",
    "print(json.dumps({'found': found, 'gpus': gpus, 'python': list(sys.version_info[:2])}))",
  ].join("\n");
  const result = spawnSync(python, ["-c", script], { encoding: "utf8" });
  if (result.error !== undefined) {
    throw new ConfigurationError(
      `${python} does not run (${result.error.message}); install Python 3.10 or newer, or set REPERTOIRE_PYTHON`,
    );
  }
  if (result.status !== 0)
    throw new ConfigurationError(`${python} cannot load its packages:\n${result.stderr.trim().slice(-1500)}`);
  const {
    found,
    gpus,
    python: version,
  } = JSON.parse(result.stdout) as {
    found: Record<string, string | null>;
    gpus: number;
    python: [number, number];
  };
  if (version[0] < 3 || version[1] < 10)
    throw new ConfigurationError(
      `${python} is Python ${version.join(".")}; 3.10 or newer is needed (REPERTOIRE_PYTHON)`,
    );
  const wanting = Object.entries(needed).filter(([name, least]) => !found[name] || olderThan(found[name], least));
  if (wanting.length > 0) {
    const what = wanting.map(([name, least]) => (found[name] ? `${name} ${found[name]} (older than ${least})` : name));
    const install = wanting.map(([name, least]) => `'${name}>=${least}'`).join(" ");
    throw new ConfigurationError(
      `${python} lacks ${what.join(", ")}; install with\n  ${python} -m pip install ${install}`,
    );
  }
  if (device.includes("cuda") && gpus === 0) {
    throw new ConfigurationError(
      `PyTorch ${found.torch} sees no GPU; give --device cpu, or check \`nvidia-smi\` and install a CUDA build of torch`,
    );
  }
  const asked = [...device.matchAll(/cuda:(\d+)/g)].map(([, index]) => Number(index));
  const absent = asked.find((index) => index >= gpus);
  if (absent !== undefined)
    throw new ConfigurationError(`--device ${device}: there is no cuda:${absent}, only ${gpus} GPUs`);
}

function olderThan(version: string, least: string): boolean {
  const numbers = (text: string) => text.split(/[.+]/).map((part) => Number.parseInt(part, 10) || 0);
  const [a, b] = [numbers(version), numbers(least)];
  return a[0] !== b[0] ? a[0] < b[0] : (a[1] ?? 0) < (b[1] ?? 0);
}

function argumentsOf(flags: TorchFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const spelled = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === undefined ? [] : value === true ? [spelled] : [spelled, String(value)];
  });
}

function readyUrl(line: string): string | undefined {
  try {
    const { ready } = JSON.parse(line) as { ready?: unknown };
    return typeof ready === "string" ? ready : undefined;
  } catch {
    return undefined;
  }
}

function sayHow(url: string, model: string): void {
  console.log(`\nserving ${pc.bold(model)} on ${pc.bold(url)}; Ctrl-C stops\n`);
  if (resolve(model) === resolve(import.meta.dirname, "../../models/mini-base"))
    console.log(`  repertoire run mini --engine ${url}`);
  else {
    console.log(`  repertoire train sft --model ${model} --engine ${url} --corpus corpus.jsonl --out runs/sft`);
    console.log(`  repertoire train rl  --model ${model} --engine ${url} --novelty --out runs/rl`);
  }
  console.log(`  repertoire engine probe ${url}\n`);
}
