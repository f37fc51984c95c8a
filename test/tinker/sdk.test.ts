// Every request of an RL run with the bonus, read with the Tinker SDK's own models: the nearest there is to hosted Tinker
// without an account. REPERTOIRE_PEERS names a folder with a checkout named `tinker`; what it imports is on the PYTHONPATH.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TinkerEngine } from "../../src/engine/tinker/tinker-engine.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { runPython } from "../serving/python.ts";
import { tokenizer, toyEngine, toyProblems } from "../training/toy-policy.ts";
import { behaviorOf, SoftmaxServer } from "./softmax-server.ts";

const sources = join(process.env.REPERTOIRE_PEERS ?? "", "tinker/src");
const missing = process.env.REPERTOIRE_PEERS !== undefined && existsSync(sources) ? "" : " (skipped: no Tinker SDK)";

const options = rlOptionsSchema.parse({
  objective: {
    algorithm: "gspo",
    kl: { coefficient: 0.01 },
    advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 2 } } },
  },
  scoringTemperature: 1,
  ...{ steps: 2, problemsPerStep: 3, rolloutsPerProblem: 4, rolloutsPerUpdate: 6, stepsPerCheckpoint: 1 },
});

it.skipIf(missing !== "")(`the requests of an RL run are the SDK's own${missing}`, async () => {
  const server = await SoftmaxServer.start(behaviorOf("tinker", {}), toyEngine().logits.slice());
  try {
    const shared = {
      kind: "tinker",
      baseModel: "softmax",
      loraRank: 8,
      seed: 1,
      tokenizer,
      contextLength: 16,
    } as const;
    const engine = await TinkerEngine.connect({ url: server.url, ...shared, patienceSeconds: 20 });
    await engine.save("start");
    for await (const _ of rlLoop({ engine, problems: toyProblems(6), reference: "start", options, clock: () => 0 }));
    await engine.load("start");
    await engine.dispose();
    const requests = server.asked.flatMap((path, i) => {
      const body = server.bodies[i];
      if (path === "get_server_capabilities") return [];
      return [
        body[0] === "{".charCodeAt(0)
          ? { path, body: JSON.parse(body.toString()) }
          : { path, base64: body.toString("base64") },
      ];
    });
    const lines = requests.map((request) => JSON.stringify(request)).join("\n");
    const [{ read }] = (await runPython(["checks/tinker_requests.py"], lines, [sources])) as [
      { read: Record<string, number> },
    ];
    expect(Object.values(read).reduce((sum, count) => sum + count, 0)).toBe(requests.length);
    for (const path of [
      "asample",
      "forward_backward",
      "optim_step",
      "save_weights_for_sampler",
      "load_weights",
      "create_model",
    ])
      expect(read[path], path).toBeGreaterThan(0);
    console.info(`Tinker SDK: ${JSON.stringify(read)}`);
  } finally {
    await server.stop();
  }
});
