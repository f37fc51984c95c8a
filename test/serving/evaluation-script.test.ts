// `evaluate.sh` of an export, with stand-ins for verl's merger, vLLM and our command, which write down what they were told.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import { loadProblems } from "../../src/problems/sources.ts";
import { exportedSets } from "../../src/serving/export-rows.ts";
import { exportFolder } from "../../src/serving/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "repertoire-evaluate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = async (name: string, body: string) => {
  const path = join(folder, "bin", name);
  await writeFile(path, `#!/usr/bin/env bash\nprintf '%s\\n' "${name} $*" >> "$SAID"\n${body}\n`);
  await chmod(path, 0o755);
};

it("evaluate.sh goes from verl's checkpoints to a report, in the order of the steps, once", async () => {
  const out = join(folder, "run");
  const sets = exportedSets({ seed: 1, puzzles: ["bridges=5x5"], trainRows: 1, testRows: 1 });
  const asked = { bonus: "none", model: "some/model", gpus: 4, rewardUrl: "http://127.0.0.1:8123" } as const;
  await exportFolder({ trainer: "verl", out, ...asked, problems: () => sets });
  for (const step of [5, 10, 70]) await mkdir(join(out, `checkpoints/global_step_${step}/actor`), { recursive: true });
  await mkdir(join(folder, "bin"));
  // The merger leaves an adapter where it is told to; vLLM lives until it is ended, and answers at once.
  await program(
    "python",
    'while [ "$1" != --target_dir ]; do shift; done; mkdir -p "$2/lora_adapter"; echo 1 | tee "$2/lora_adapter/adapter_config.json" > "$2/lora_adapter/adapter_model.safetensors"',
  );
  await program("vllm", "exec sleep 60");
  await program("curl", "");
  await program("repertoire", "");
  const run = async () => {
    const said = join(folder, "said.txt");
    await writeFile(said, "");
    const environment = { ...process.env, SAID: said, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    execFileSync("bash", [join(out, "evaluate.sh")], { env: environment });
    return (await readFile(said, "utf8")).trim().split("\n");
  };
  const said = await run();
  const by = (name: string) => said.filter((line) => line.startsWith(`${name} `));
  expect(by("python").map((line) => /global_step_(\d+)/.exec(line)?.[1])).toEqual(["5", "10", "70"]);
  const modules = [5, 10].map((step) => `vanilla-step-${step}=${out}/adapters/step-${step}/lora_adapter`);
  expect(by("vllm")[0]).toContain(`--lora-modules ${modules.join(" ")} vanilla=${out}/adapters/step-70/lora_adapter`);
  expect(by("vllm")[0]).toContain("--data-parallel-size 4");
  const evaluated = by("repertoire").slice(0, -1);
  expect(evaluated.map((line) => /--model (\S+)/.exec(line)?.[1])).toEqual([
    ...["sft", "vanilla-step-5", "vanilla-step-10", "vanilla"],
  ]);
  expect(by("repertoire").at(-1)).toMatch(/^repertoire report .*--out evaluations-report$/);
  // Our own command reads every flag, with the paper's numbers.
  const command = evaluateCommand().exitOverride();
  command.action(() => {});
  command.parse(evaluated[0].split(" ").slice(2), { from: "user" });
  expect(command.opts()).toMatchObject({
    rollouts: 32,
    temperature: 0.6,
    maxTokens: 25_000,
    subset: { "omega-explorative": 134, "omega-compositional": 100 },
  });
  expect(command.opts().problems).toEqual(expect.arrayContaining(["evaluation.jsonl", "hmmt-feb-2026"]));
  expect((await run()).filter((line) => line.startsWith("python "))).toEqual([]);
});

it("its problems are in a file that the command reads again as they were", async () => {
  const problems = exportedSets({ seed: 1, puzzles: ["bridges=5x5"], trainRows: 3, testRows: 0 }).train;
  const path = join(folder, "evaluation.jsonl");
  await writeFile(path, problems.map((problem) => `${JSON.stringify(problem)}\n`).join(""));
  const options = { hub: { cache: folder }, count: 1, seed: 1 };
  expect((await loadProblems(path, options)).problems).toEqual(problems);
  await writeFile(path, `${JSON.stringify(problems[0])}\n{"problem":"2+2?","answer":"4"}\n`);
  await expect(loadProblems(path, options)).rejects.toThrow("line 2 is no problem");
});
