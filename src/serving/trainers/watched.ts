// Which version of which peer was watched, how far its own code ran on what we write, and what stood in for the rest. The
// help, the exports and docs/serving.md say it from here; `test/serving/peers.test.ts` runs it again and prints it.

export type Watched = {
  readonly version: string;
  /** Its checkout. */
  readonly commit?: string;
  readonly ran: string;
  readonly standIns: string;
};

export const watched = {
  verl: {
    version: "0.10.0.dev (0.9 or newer), TransferQueue b75d570",
    commit: "1dda039b9",
    ran: "two steps of its V1 trainer, with its data, buffer, advantages, GSPO loss and dumps, before checkpoints were adapters only; every key of today's launch.sh against its flat configuration; its merger, through our script, on a checkpoint in the layout of its adapter-only saves",
    standIns: "weights (two layers), sampler, weight synchronization, vLLM",
  },
  trl: {
    version: "1.13.0, 1.9.0, 0.27.0, 0.24.0",
    ran: "training steps of a tiny model, in every test run that has TRL",
    standIns: "none (for 0.24 and 0.27 two names that newer transformers removed)",
  },
  openrlhf: {
    version: "0.11.0",
    commit: "3c3be623",
    ran: "its command line and validation, its reward client, its experience maker up to the advantages",
    standIns: "vLLM, DeepSpeed, flash-attention, the engine; no KL",
  },
  slime: {
    version: "2026-08-21",
    commit: "624b824a8",
    ran: "its parser and validation, its reward client, our advantages over its samples",
    standIns: "SGLang, Megatron (one rank)",
  },
  skyrl: {
    version: "2026-08-21",
    commit: "a9564572e",
    ran: "its configuration, dataset, generator, and trainer up to the advantages",
    standIns: "the inference engine and the reference's log-probabilities",
  },
  "nemo-gym": {
    version: "2026-08-22",
    commit: "07d6b0d07",
    ran: "our resources server on its base class and web server: `/verify`, `/aggregate_metrics`, `/reverify_mode`; in turns, its gymnasium server: `/reset`, `/step`",
    standIns: "its configuration's and profiler's packages",
  },
  "prime-rl": {
    version: "0.8.0, verifiers a60a606ec",
    commit: "559b44772",
    ran: "its configuration, rollouts through verifiers, its GRPO with our bonus up to the training samples",
    standIns: "vLLM (an HTTP server), `uv`; its configuration package was 0.3.0",
  },
  verifiers: {
    version: "renderers 0.1.9",
    commit: "a60a606ec",
    ran: "its evaluation on our taskset, and the older environment: 20 rollouts each; its wheel installs without an index",
    standIns: "the model (an HTTP server), `uv`, packages for sandboxes",
  },
  "tinker-cookbook": {
    version: "2026-08-19, tinker 0.25.0",
    commit: "9dfcc3a2",
    ran: "its group rollouts over our dataset builder, pickled as it does; rewards and the bonus against our formulas",
    standIns: "the sampler, the reference's log-probabilities, packages of other models' renderers",
  },
  openenv: {
    version: "2026-06-13",
    commit: "385de5eb",
    ran: "its own server: `/reset`, `/schema`, `/health`, episodes side by side over `/ws`; the MCP tools, `place` among them, over fastmcp 4.0.10",
    standIns: "none",
  },
  AReaL: {
    version: "2026-08",
    commit: "4aef98d8d",
    ran: "its single-turn workflow with `functions.areal`, in its process pool",
    standIns: "the engine, GPU packages",
  },
  EasyR1: {
    version: "2026-08",
    commit: "b44b311",
    ran: "its reward manager with `functions.easyr1`",
    standIns: "none",
  },
  rLLM: {
    version: "2026-08",
    commit: "9beb6e0f",
    ran: "its simple workflow with `functions.rllm`",
    standIns: "the engine",
  },
} as const satisfies Readonly<Record<string, Watched>>;

export type WatchedName = keyof typeof watched;

export const versionOf = (name: WatchedName): string => {
  const { version, commit }: Watched = watched[name];
  return commit === undefined ? version : `${version} (${commit})`;
};

/** The table of docs/serving.md. */
export const watchedTable = (): string =>
  [
    "| peer | version | what of its own code ran | stand-ins |",
    "|---|---|---|---|",
    ...(Object.keys(watched) as WatchedName[]).map(
      (name) => `| ${name} | ${versionOf(name)} | ${watched[name].ran} | ${watched[name].standIns} |`,
    ),
  ].join("\n");
