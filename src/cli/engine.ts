// `repertoire engine`: `serve` starts torch-engine on this machine's GPU or processor; `probe` measures what a server does.
import { Command, Option } from "commander";
import pc from "picocolors";
import { capabilities, largestSeeds, type ServerKind, serverKinds } from "../engine/tinker/capabilities.ts";
import { probe } from "../engine/tinker/probe.ts";
import { compareWithRecord, kindsThatAgree, type ProbeRow } from "../engine/tinker/probe-report.ts";
import { count, wholeNumber } from "./arguments.ts";
import { keyFrom } from "./server-options.ts";
import { textTable } from "./text-table.ts";
import { serveTorchEngine, type TorchEngineFlags } from "./torch-engine.ts";

export function engineCommand(): Command {
  return new Command("engine")
    .description("engines for models of any size: serve one here, or probe one elsewhere")
    .addCommand(serveCommand())
    .addCommand(probeCommand());
}

function serveCommand(): Command {
  return new Command("serve")
    .description("serve a Hugging Face model over the Tinker protocol, with PyTorch: training, scoring, sampling")
    .requiredOption(
      "--model <folder or hub name>",
      "a folder with a config.json and no weights starts from random ones",
    )
    .option("--device <name>", "cuda, cuda:1, cpu", "cuda")
    .option("--devices <names>", "several, with commas: a replica on each, samples and passes shared: cuda:0,cuda:1")
    .option("--host <address>", "anything but this machine needs a token in REPERTOIRE_ENGINE_TOKEN", "127.0.0.1")
    .option("--port <number>", "0 takes any free port", wholeNumber, 8421)
    .option("--checkpoints <folder>", "where saved weights are kept", "checkpoints")
    .addOption(
      new Option("--dtype <type>", "of the base model (default: bfloat16 on a GPU, float32 on a CPU)").choices([
        "float32",
        "bfloat16",
      ]),
    )
    .option("--lora-alpha <n>", "scale of adapters for clients that say none (default: twice the rank)", Number)
    .option("--gradient-checkpointing", "run every layer twice to save memory (default: on a GPU as many as must be)")
    .option("--slots <n>", "sequences sampled side by side", count)
    .option("--cache-gigabytes <n>", "memory for keys and values while sampling", Number)
    .addOption(
      new Option(
        "--cache-bits <n>",
        "of keys and values while sampling: 8 is faster and less exact (default: 16)",
      ).choices(["16", "8"]),
    )
    .option("--threads <n>", "processor cores to use", count)
    .option("--seed <n>", "of random weights and of adapters for clients that say none", wholeNumber)
    .addHelpText(
      "after",
      `
The rank of the adapters is the client's: \`train … --lora-rank 64\`; 0 trains all weights.
Python is REPERTOIRE_PYTHON, else python3; what it lacks is named, with the command that installs it.

Examples:
  repertoire engine serve --model models/mini-base --device cpu
  repertoire engine serve --model allenai/OLMo-3-7B-Instruct-SFT --device cuda
  repertoire engine serve --model allenai/OLMo-3-7B-Instruct-SFT --devices cuda:0,cuda:1,cuda:2,cuda:3

It also answers OpenAI's /v1/chat/completions and /v1/completions, for the model and for every saved checkpoint by its name:
  repertoire evaluate --problems aime-2025 --url http://localhost:8421/v1 --model paper-sft-epoch-4 --out runs/aime`,
    )
    .action(({ devices, ...flags }: TorchEngineFlags & { readonly devices?: string }) =>
      serveTorchEngine({ ...flags, device: devices ?? flags.device }),
    );
}

type ProbeFlags = {
  readonly server: ServerKind;
  readonly model?: string;
  readonly loraRank: number;
  readonly keyVariable?: string;
  readonly json?: true;
};

function probeCommand(): Command {
  return new Command("probe")
    .description(
      "measure by experiment how a server treats losses, optimizer and log-probs; exits with 1 where it differs",
    )
    .argument("<url>")
    .addOption(
      new Option("--server <kind>", "what it is expected to be").choices([...serverKinds]).default("repertoire"),
    )
    .option("--model <name>", "what the server calls the model (default: the first that it serves)")
    .option("--lora-rank <n>", "rank of the adapters that are tried; 0 tries full weights", wholeNumber, 8)
    .option("--key-variable <name>", "environment variable with the server's key")
    .option("--json", "one JSON record on stdout")
    .addHelpText(
      "after",
      `
It makes some fifty small models, one or two at a time, and lets each take a step or two. On a server whose record says that models
touch each other (skyrl-jax: weight decay) it does so, too: probe before others train there. A few checkpoints whose names begin with
repertoire- stay on the server.

Examples:
  repertoire engine probe http://localhost:8421
  repertoire engine probe http://localhost:8000 --server skyrl-jax --json`,
    )
    .action(async (url: string, flags: ProbeFlags) => {
      const { server, model, loraRank, keyVariable } = flags;
      const key = keyFrom(keyVariable);
      const measured = await probe({
        url,
        key,
        baseModel: model,
        loraRank,
        patienceSeconds: 10,
        largestSeed: largestSeeds[capabilities[server].seeds],
        emit: (message) => console.error(message),
        onProgress: (models) => {
          if (process.stderr.isTTY) process.stderr.write(`\rexperiment ${models}  `);
        },
      });
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      const rows = compareWithRecord(server, measured);
      const differs = rows.some(({ agrees }) => !agrees);
      const agreeing = kindsThatAgree(measured);
      if (flags.json) console.log(JSON.stringify({ url, server, agrees: !differs, kindsThatAgree: agreeing, rows }));
      else print(url, server, rows, agreeing);
      if (differs) process.exitCode = 1;
    });
}

function print(url: string, server: ServerKind, rows: readonly ProbeRow[], agreeing: readonly ServerKind[]): void {
  const verdict = ({ agrees, measured }: ProbeRow) => (measured === undefined ? "?" : agrees ? "✓" : "✗");
  console.log(`${url}, expected to be a ${server} server\n`);
  console.log(
    textTable(
      [
        { title: "" },
        { title: "what", align: "left" },
        { title: "expected", align: "left" },
        { title: "measured", align: "left" },
      ],
      rows.map((row) => [verdict(row), row.field, row.expected, row.measured ?? "could not be told"]),
    ),
  );
  for (const row of rows.filter((row) => !row.agrees || row.measured === undefined))
    console.log(`\n${verdict(row)} ${row.field}: ${row.because}`);
  const different = rows.filter(({ agrees }) => !agrees).length;
  const untold = rows.filter(({ measured }) => measured === undefined);
  if (different === 0 && untold.length > 0) {
    const what = untold.map(({ field }) => field).join(", ");
    console.log(pc.yellow(`\nNothing contradicts its record, but this could not be told: ${what}.`));
    return;
  }
  if (different === 0) {
    console.log(pc.green("\nIt does what its record says, and the client is ready for it: training on it is sound."));
    return;
  }
  const advice = agreeing.length > 0 ? `It behaves like: ${agreeing.join(", ")}.` : "No kind that we know behaves so.";
  console.log(pc.red(`\n${different} differ; training refuses this server as ${server}. ${advice}`));
}
