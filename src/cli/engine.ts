// `repertoire engine`: `serve` starts torch-engine on this machine's GPU or processor; `probe` runs the conformance suite over a server.
import { Command } from "commander";
import pc from "picocolors";
import type { ConformanceResult } from "../engine/conformance.ts";
import { serverKinds } from "../engine/tinker/capabilities.ts";
import { behavesLike, failures, otherKinds, probe } from "../engine/tinker/probe.ts";
import { count, port, positive, wholeNumber } from "./arguments.ts";
import { choice, type FlagValues, flag, required, withFlags } from "./flags.ts";
import { keyFlag, keyFrom } from "./server-options.ts";
import { serveTorchEngine } from "./torch-engine.ts";

/** As the Python program has them, `devices` aside. */
const serveFlags = [
  required(
    "--model <folder or hub name>",
    "the model; a folder with a config.json but no weights is initialized randomly",
  ),
  flag("--device <name>", "cuda, cuda:1, cpu", "cuda"),
  flag("--devices <names>", "several, separated by commas, with one replica each: cuda:0,cuda:1"),
  flag(
    "--host <address>",
    "address to listen on; a token in REPERTOIRE_ENGINE_TOKEN is required unless it is this machine",
    "127.0.0.1",
  ),
  flag("--port <number>", "0 picks a free port", port, 8421),
  flag("--checkpoints <folder>", "where saved weights are kept", "checkpoints"),
  choice("--dtype <type>", "precision of the base model (default: bfloat16 on a GPU, float32 on a CPU)", [
    "float32",
    "bfloat16",
  ]),
  flag("--lora-alpha <n>", "scale of adapters, if the client gives none (default: twice the rank)", positive),
  flag(
    "--gradient-checkpointing",
    "recompute every layer to save memory (default: on a GPU, only as many as necessary)",
  ),
  flag("--slots <n>", "sequences sampled concurrently", count),
  flag("--cache-gigabytes <n>", "memory for keys and values while sampling", positive),
  choice(
    "--cache-bits <n>",
    "bits per cached key and value: 12 hold what bf16 does, 8 is faster and less exact (default: 12 where that is faster, else 16)",
    ["16", "12", "8"],
  ),
  flag("--threads <n>", "CPU cores to use", count),
  flag("--seed <n>", "seed of random weights, and of adapters if the client gives none", wholeNumber),
];

export function serveCommand(): Command {
  return withFlags(new Command("serve"), serveFlags)
    .description("serve a Hugging Face model over the Tinker protocol, with PyTorch: training, scoring, sampling")
    .addHelpText(
      "after",
      `
The client chooses the rank of its adapters: \`train … --lora-rank 64\`; 0 trains all weights.
Uses the Python in REPERTOIRE_PYTHON, or else python3. If packages are missing, it prints the command that installs them.

Examples:
  repertoire engine serve --model models/mini-base --device cpu
  repertoire engine serve --model allenai/OLMo-3-7B-Instruct-SFT --device cuda
  repertoire engine serve --model allenai/OLMo-3-7B-Instruct-SFT --devices cuda:0,cuda:1,cuda:2,cuda:3

It also serves OpenAI's /v1/chat/completions and /v1/completions, for the model and for every saved checkpoint by name:
  repertoire evaluate --problems aime-2025 --url http://localhost:8421/v1 --model paper-sft-epoch-4 --out runs/aime`,
    )
    .action(({ devices, ...flags }: FlagValues<typeof serveFlags>) =>
      serveTorchEngine({ ...flags, device: devices ?? flags.device }),
    );
}

const probeFlags = [
  choice("--server <kind>", "what it is expected to be", serverKinds, "repertoire"),
  flag("--model <name>", "what the server calls the model (default: the first it serves)"),
  flag("--lora-rank <n>", "rank of the adapters to test; 0 tests full weights", wholeNumber, 8),
  keyFlag,
  flag("--json", "one JSON record on stdout"),
];

export function probeCommand(): Command {
  return withFlags(new Command("probe"), probeFlags)
    .description("run the conformance suite of engines over a server; exits with 1 if it is not what --server says")
    .argument("<url>")
    .addHelpText(
      "after",
      `
It creates some fifty models, one or two at a time, and takes a step or two with each. On servers where models affect each other
(skyrl-jax: weight decay), so does the probe: run it before anyone else trains there. A few checkpoints whose names
begin with repertoire-probe stay on the server.

Examples:
  repertoire engine probe http://localhost:8421
  repertoire engine probe http://localhost:8000 --server skyrl-jax --json`,
    )
    .action(async (url: string, { json, ...flags }: FlagValues<typeof probeFlags>) => {
      const { server: kind, model: baseModel, loraRank } = flags;
      const emit = (message: string) => console.error(message);
      const server = { url, key: keyFrom(flags.keyVariable), kind, baseModel, loraRank, patienceSeconds: 10, emit };
      const results: ConformanceResult[] = [];
      for await (const result of probe(server)) {
        if (!json && results.length === 0) console.log(`${url}, expected to be a ${kind} server\n`);
        results.push(result);
        if (!json) printResult(result);
      }
      const failed = failures(results).length;
      if (failed > 0) process.exitCode = 1;
      const others = failed > 0 ? await otherKinds(server) : [];
      if (json) console.log(JSON.stringify({ url, server: kind, passes: failed === 0, passesAs: others, results }));
      else if (failed === 0)
        console.log(pc.green("\nThe server does what an engine must, so training on it is sound."));
      else console.log(pc.red(`\n${failed} failed; training refuses this server as ${kind}. ${behavesLike(others)}`));
    });
}

const signs = { passed: "✓", skipped: "–", failed: "✗" } as const;

function printResult({ name, outcome, because }: ConformanceResult): void {
  const line = `${signs[outcome]} ${name}${because === undefined ? "" : ` (${because})`}`;
  console.log(outcome === "failed" ? pc.red(line) : outcome === "skipped" ? pc.dim(line) : line);
}
