// The package as its users get it: packed, installed into an empty project from the registry, without the packages that
// only some need. Where the registry cannot be reached the tests say so and are skipped.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { startStrictServer } from "../examples/strict-server.ts";
import { writeInventedRun } from "../report/invented-run.ts";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const peers = Object.keys(manifest.peerDependencies);

let folder: string;
let project: string;
let tarball: string;
let packed: { readonly files: readonly { readonly path: string }[]; readonly size: number };
let unreachable: string | undefined;
let complaints: string;

const npm = (cwd: string, ...args: string[]) =>
  spawnSync("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"], { cwd, encoding: "utf8" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-package-"));
  const packing = npm(root, "pack", "--json", "--pack-destination", folder);
  expect(packing.status, packing.stderr).toBe(0);
  [packed] = JSON.parse(packing.stdout);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!);

  project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  // Not the clone's own settings, and no patience: either the registry answers or it does not.
  const asked = npm(project, "view", "picocolors@1.1.1", "version", "--fetch-retries=0", "--fetch-timeout=20000");
  if (asked.status !== 0) {
    unreachable = `the npm registry cannot be reached: ${asked.stderr.split("\n").slice(0, 3).join(" ")}`;
    return;
  }
  const installing = npm(project, "install", tarball);
  expect(installing.status, installing.stderr).toBe(0);
  complaints = installing.stderr;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });

function bytesOf(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

describe("the tarball", () => {
  it("holds what the manifest points at, and no source maps", () => {
    const paths = packed.files.map(({ path }) => path);
    const targets = [manifest.bin.repertoire, ...Object.values(manifest.exports).flatMap(targetsOf)];
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.map((target) => target.replace("./", "")).filter((target) => !paths.includes(target))).toEqual([]);
    expect(paths).toContain("dist/dashboard/client/index.html");
    expect(paths).toContain("models/mini-base/model.safetensors");
    expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
  });

  it("has no file of a source that is gone", () => {
    const built = packed.files.map(({ path }) => path).filter((path) => /^dist\/.*\.js$/.test(path));
    const bundled = (path: string) => path.startsWith("dist/dashboard/client/assets/");
    const source = (path: string) => join(root, path.replace("dist/", "src/").replace(/\.js$/, ".ts"));
    expect(built.length).toBeGreaterThan(300);
    expect(
      built.filter((path) => !bundled(path) && !existsSync(source(path)) && !existsSync(`${source(path)}x`)),
    ).toEqual([]);
  });

  it("is a download of a few megabytes", () => {
    expect(packed.size).toBeLessThan(8e6);
  });
});

const targetsOf = (target: unknown): string[] =>
  typeof target === "string" ? [target] : Object.values(target as Record<string, string>);

describe("installed into an empty project", () => {
  beforeEach((context: TestContext) => {
    if (unreachable !== undefined) context.skip(unreachable);
  });

  it("brings none of the optional packages, runs no install scripts, and says nothing", () => {
    const modules = join(project, "node_modules");
    expect(peers.filter((name) => existsSync(join(modules, name)))).toEqual([]);
    expect(bytesOf(modules)).toBeLessThan(40e6);
    // A setting of this machine is not the package's affair.
    expect(complaints.split("\n").filter((line) => line.startsWith("npm warn") && !line.includes("config"))).toEqual(
      [],
    );
    const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(lock.packages).filter(
      ([, p]) => p.hasInstallScript,
    );
    expect(scripted).toEqual([]);
  });

  it("a strict consumer type-checks, without skipLibCheck and without the optional packages", () => {
    cpSync(join(import.meta.dirname, "consumer.ts"), join(project, "consumer.ts"));
    const compilerOptions = {
      target: "ES2023",
      lib: ["ES2023"],
      module: "NodeNext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const { status, stdout } = node(join(root, "node_modules/typescript/bin/tsc"), "-p", project);
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  it("the command works, and what needs a missing package names the command that installs it", () => {
    const command = join(project, "node_modules/.bin/repertoire");
    const tour = spawnSync(command, ["tour"], { cwd: project, encoding: "utf8" });
    expect(tour.status, tour.stderr).toBe(0);
    const missing = spawnSync(command, ["look", "hf://openai/gsm8k"], { cwd: project, encoding: "utf8" });
    expect(missing.status).toBe(1);
    const version = manifest.peerDependencies["@huggingface/hub"];
    expect(missing.stderr).toContain(
      `needs @huggingface/hub, which is not installed; run: npm install --ignore-scripts @huggingface/hub@${version}`,
    );
    expect(missing.stderr).not.toContain("    at ");
  });

  it("a report without resvg has its figures as SVG, and says how to have them as PNG", async () => {
    const run = join(folder, "run");
    await writeInventedRun(run);
    const { status, stdout, stderr } = node(
      join(project, "node_modules/repertoire/dist/cli/main.js"),
      ...["report", run, "--only", "pass-at-k"],
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/PNG files in figures\n.*run: npm install --ignore-scripts @resvg\/resvg-wasm@/);
    expect(readdirSync(join(run, "report", "figures"))).toEqual(["pass-at-k.svg"]);
    expect(readFileSync(join(run, "report", "index.html"), "utf8")).not.toContain(".png");
  });

  it("the examples run; the one that trains asks for onnxruntime-node and then runs", async () => {
    const example = (name: string, ...args: string[]) =>
      node(join(project, "node_modules/repertoire/examples", name), ...args);
    for (const name of ["verify-and-reward.mjs", "grade-mathematics.mjs", "labels-and-motifs.mjs"]) {
      const { status, stderr, stdout } = example(name);
      expect([name, status, stderr]).toEqual([name, 0, ""]);
      expect(stdout.split("\n").length).toBeGreaterThan(3);
    }
    expect(example("training-loop.mjs").stderr).toContain(
      `run: npm install --ignore-scripts onnxruntime-node@${manifest.peerDependencies["onnxruntime-node"]}`,
    );
    const mini = node(join(project, "node_modules/repertoire/dist/cli/main.js"), "run", "mini", "--folder", "mini");
    expect([mini.status, mini.stdout]).toEqual([1, ""]);
    expect(mini.stderr).toMatch(/^MissingPackageError: the embedded engine needs onnxruntime-node.*run: npm install/);
    // Linked from the clone: downloading 288 MB would prove nothing more.
    for (const name of ["onnxruntime-node", "onnxruntime-common"])
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    const { status, stderr, stdout } = example("training-loop.mjs");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("step 39: solved");
  });

  it("evaluate-server runs against a server that knows nothing", async () => {
    const { spawn } = await import("node:child_process");
    const server = await startStrictServer("tiny", () => "no idea");
    try {
      const program = join(project, "node_modules/repertoire/examples/evaluate-server.mjs");
      const child = spawn(process.execPath, [program, server.url, "tiny"], { cwd: project });
      let printed = "";
      child.stdout.on("data", (chunk) => (printed += chunk));
      const status = await new Promise((done) => child.on("close", done));
      expect([status, printed]).toEqual([0, "pass@1 0.0%\npass@2 0.0%\npass@4 0.0%\n"]);
    } finally {
      await server.close();
    }
  });

  it("the reward server scores puzzles and mathematics", () => {
    const program = `
      import { RewardServer } from "repertoire/serving";
      const server = await RewardServer.start({ port: 0 });
      const body = JSON.stringify({ ground_truth: "\\\\frac{1}{2}", solution_str: "so $x = \\\\boxed{0.5}$" });
      const reply = await fetch(server.url + "/score", { method: "POST", body });
      console.log((await reply.json()).verdict);
      await server.drain();`;
    writeFileSync(join(project, "serve.mjs"), program);
    const { stdout, stderr } = node("serve.mjs");
    expect([stdout, stderr]).toEqual(["correct\n", ""]);
  });

  it.each([
    ["puzzles", `Object.values(module.catalog).map((puzzle) => puzzle.solve(puzzle.readId(puzzle.example)).status)`],
    ["grading", `module.answerText("<answer>4</answer>").text`],
    ["grading/math", `module.gradeMath("1/2", "0.5").verdict`],
    ["base", `module.Random.from("x").uint32() >= 0`],
  ])("repertoire/%s runs without Node", async (entry, expression) => {
    const contents = `import * as module from "repertoire/${entry}"; globalThis.result = JSON.stringify(${expression});`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      format: "iife",
      platform: "browser",
      write: false,
    });
    // What every browser has and the language does not.
    const world: { result?: string } & Record<string, unknown> = { TextEncoder, TextDecoder, performance, URL };
    runInNewContext(outputFiles[0].text, world);
    expect(JSON.parse(world.result!)).toEqual(
      { puzzles: Array(8).fill("unique"), grading: "4", "grading/math": "equal", base: true }[entry],
    );
  });
});
