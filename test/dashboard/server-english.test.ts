// A run of the real world: English over a server, ids with a slash, no gradient norm; without and with its analysis.
import { appendFile, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  ComparisonReply,
  ItemsReply,
  PairsReply,
  ProblemsReply,
  RolloutsReply,
  RunReply,
  TraceReply,
} from "../../src/dashboard/api.ts";
import { changesItem } from "../../src/results/sections/changed.ts";
import type { Analysis } from "../../src/traces/analysis/analysis.ts";
import { labelerWords } from "../../src/traces/labeler.ts";
import { analyzeInto, analyzeRun, importAndAnalyze } from "../../src/traces/run-analysis.ts";
import { alarmsOfSeries } from "../../src/traces/step-signs.ts";
import { englishSets, englishSteps, inChat, writeEnglishRun } from "../fixtures/english-run.ts";
import { ServedFolder } from "./served-folder.ts";

let served: ServedFolder;
let analysis: Analysis;
beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    await writeEnglishRun(join(folder, "plain"), { card: "absent" });
    await cp(join(folder, "plain"), join(folder, "analyzed"), { recursive: true });
    const options = { replicates: 40, motifsPerLength: 10 };
    analysis = await analyzeRun(join(folder, "analyzed"), { analysis: options, workers: 1 });
    // The same as a collection of its own, beside the run.
    const inputs = [{ path: join(folder, "analyzed") }];
    await importAndAnalyze(join(folder, "collection"), { inputs, workers: 1 }, { analysis: options, workers: 1 });
  });
  for (const run of ["plain", "analyzed", "collection"]) await served.indexed(run);
});
afterAll(() => served.close());

describe("a run over a server", () => {
  it("shows all its steps without a gradient norm", async () => {
    const training = await served.item("training-curves", { run: "plain" });
    const panels = training.body.kind === "panels" ? training.body.panels : [];
    expect(panels.some(({ title }) => title.startsWith("Gradient norm"))).toBe(false);
    const valuesOf = (title: string) =>
      panels
        .filter((panel) => panel.title.startsWith(title))
        .flatMap(({ marks }) => marks.map((mark) => (mark.mark === "line" ? mark.points : [])));
    for (const points of valuesOf("KL")) {
      expect(points.map(({ x }) => x)).toEqual(Array.from({ length: englishSteps }, (_, step) => step));
      // The mean of the step's two updates.
      expect(points[2].value).toBeCloseTo(0.01, 12);
    }
    expect(valuesOf("Clip fraction").map((points) => points[2].value)).toEqual(
      [0.2, 0.2].map((value) => expect.closeTo(value, 12)),
    );
    const curves = await served.item("sft-curves", { run: "plain" });
    const [loss] = curves.body.kind === "panels" ? curves.body.panels : [];
    expect(loss.marks.map((mark) => mark.mark === "line" && mark.points.length)).toEqual([10]);
  });

  it("believes labels whose labeler it knows, and nobody else's", async () => {
    const counted = await served.item("primitives-over-training", { run: "plain" });
    const panels = counted.body.kind === "panels" ? counted.body.panels : [];
    const compute = panels.find(({ title }) => title === "compute")!;
    expect(compute.marks.map((mark) => mark.mark === "line" && mark.name)).toEqual(["Novelty bonus"]);
    expect(compute.marks[0].mark === "line" && compute.marks[0].points[0].value).toBeGreaterThan(1);
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "plain", source: "vanilla", limit: 500 });
    // What version 0.1 wrote down there is a single backtrack each.
    expect(rows.every(({ spans }) => spans! > 3)).toBe(true);
  });

  it("is read by the classifier, never by the grammar, and says so", async () => {
    const { sources, taxonomy } = await served.get<RunReply>("run", { run: "plain" });
    expect(taxonomy.name).toBe("paper");
    for (const { labeled } of sources) expect(labeled).toMatch(/^labels by repertoire span classifier .*accuracy/);
    const { rows } = await served.get<RolloutsReply>("rollouts", {
      run: "plain",
      source: "novelty",
      primitive: "backtrack",
    });
    const trace = await served.get<TraceReply>("trace", { run: "plain", source: "novelty", row: rows[0].row });
    const letters = trace.spans.map(({ label }) => taxonomy.labels.find(({ name }) => name === label)!.letter).join("");
    expect(letters).toBe(rows[0].sequence);
    expect(trace.text.slice(trace.spans[0].start, trace.spans[0].end).length).toBeGreaterThan(300);
    expect(trace.prompt).toBe(inChat(trace.prompt!.slice("<|im_start|>user\n".length).split("<|im_end|>")[0]));
  });

  it("has boards, filters by puzzle and sizes for ids with a slash", async () => {
    const bridges = await served.get<RolloutsReply>("rollouts", { run: "plain", source: "vanilla", puzzle: "bridges" });
    expect(bridges.matching).toBeGreaterThan(0);
    expect(bridges.rows.every(({ problem }) => problem.startsWith("bridges/7x7"))).toBe(true);
    const right = bridges.rows.find(({ verdict }) => verdict === "correct")!;
    const trace = await served.get<TraceReply>("trace", { run: "plain", source: "vanilla", row: right.row });
    expect(trace.problem).toMatchObject({ kind: "puzzle", puzzle: "bridges", instance: right.problem.slice(8) });
    expect(trace.answer?.wrong).toEqual([]);
    const { problems } = await served.get<ProblemsReply>("problems", { run: "plain" });
    expect(new Set(problems.flatMap(({ size }) => size ?? []))).toEqual(new Set(["7x7", "5x5", "4x4"]));
  });
});

describe("its analysis", () => {
  it("is part of the run: claims, scopes, whose labels", async () => {
    const { analysis: entry, sources } = await served.get<RunReply>("run", { run: "analyzed" });
    expect(entry?.stage).toBe("analysis");
    expect(entry?.labeled).toEqual(analysis.labelers.map(labelerWords));
    expect(entry?.scopes.map(({ name }) => name)).toEqual([
      "everything",
      "all puzzles",
      "all mathematics",
      ...englishSets,
    ]);
    const { rows } = await served.table("claims", { run: "analyzed" });
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(([, claim]) => claim)).toEqual(analysis.claims.map(({ claim }) => claim));
    expect(entry?.outdated).toBeUndefined();
    // Its traces are the run's own rollouts, and not listed twice.
    expect(sources.some(({ id }) => id.startsWith("analysis"))).toBe(false);
  });

  it("gives the comparison as a chart, scope by scope", async () => {
    const pair = { run: "analyzed", first: "evaluations/sft", second: "evaluations/vanilla" };
    for (const scope of ["everything", "all mathematics", "olymmath-en-hard"]) {
      const { items } = await served.get<ComparisonReply>("comparison", { ...pair, scope });
      const own = analysis.scopes.find((one) => one.scope.name === scope)!;
      const found = own.comparisons.find(({ first, second }) => first === "sft" && second === "vanilla")!;
      expect(items).toEqual(
        JSON.parse(
          JSON.stringify([
            changesItem(
              found,
              analysis.taxonomy.labels.map(({ name }) => name),
            ),
          ]),
        ),
      );
    }
    const unknown = await served.ask("/api/comparison?run=analyzed&first=evaluations/sft&second=evaluations/base");
    expect(JSON.parse(unknown.text)).toMatchObject({ scope: "everything", items: [] });
    expect((await served.ask("/api/comparison?run=analyzed&first=.&second=.&scope=none")).status).toBe(404);
  });

  it("gives pairs to read, one a problem, whose rows are those of the log", async () => {
    const pair = { run: "analyzed", first: "evaluations/vanilla", second: "evaluations/novelty" };
    const { pairs } = await served.get<PairsReply>("pairs", pair);
    expect(pairs.length).toBeGreaterThan(0);
    for (const kind of ["depth", "recovery"])
      expect(new Set(pairs.filter((one) => one.kind === kind).map(({ problem }) => problem)).size).toBe(
        pairs.filter((one) => one.kind === kind).length,
      );
    const mathematics = await served.get<PairsReply>("pairs", { ...pair, set: "all mathematics" });
    expect(mathematics.pairs).toEqual(pairs.filter(({ problem }) => /^(olymmath|aime)/.test(problem)));
    for (const { first, second } of pairs.filter(({ kind }) => kind === "recovery"))
      expect([first.verdict, second.verdict, /[HB]/.test(second.sequence!)]).toEqual(["wrong", "correct", true]);
  });

  it("counts primitives over steps where the run's own labels are nobody's", async () => {
    const counted = await served.item("primitives-over-training", { run: "analyzed" });
    const panels = counted.body.kind === "panels" ? counted.body.panels : [];
    const backtrack = panels.find(({ title }) => title === "backtrack")!;
    const line = backtrack.marks.find((mark) => mark.mark === "line" && mark.name === "Vanilla GSPO");
    const series = analysis.training.find(({ series }) => series === "vanilla")!;
    expect(line?.mark === "line" && line.points.map(({ value }) => value)).toEqual(
      series.points.map(({ measures }) => measures.backtrack.value),
    );
    expect(counted.labeled).toContain("span classifier");
    const { alarms } = await served.get<ItemsReply>("items", { run: "analyzed" });
    expect(alarms.map(({ series, about }) => `${series} ${about}`)).toEqual(
      analysis.training
        .flatMap((one) => alarmsOfSeries(one, analysis.taxonomy))
        .map(({ series, about }) => `${series} ${about}`),
    );
  });

  it("on its own has the same, with prompts, scores and steps", async () => {
    const { sources, analysis: entry } = await served.get<RunReply>("run", { run: "collection" });
    expect(entry?.stage).toBe("analysis");
    expect(sources.map(({ id, kind, role }) => [id, kind, role]).sort()).toEqual(
      [
        ["evaluations/base", "evaluation", "base"],
        ["evaluations/sft", "evaluation", "sft"],
        ["evaluations/vanilla", "evaluation", "vanilla"],
        ["evaluations/novelty", "evaluation", "novelty"],
        ["teacher", "teacher", "teacher"],
        ["vanilla", "training", "vanilla"],
        ["novelty", "training", "novelty"],
      ].sort(),
    );
    const source = "vanilla";
    const { rows } = await served.get<RolloutsReply>("rollouts", {
      run: "collection",
      source,
      minStep: 3,
      verdict: "correct",
    });
    expect(rows[0]).toMatchObject({ reward: 1, step: 3 });
    const trace = await served.get<TraceReply>("trace", { run: "collection", source, row: rows[0].row });
    expect(trace.problem.prompt).toContain("<|im_start|>user");
    expect(trace.rollout.step).toBe(3);
    expect(trace.spans).toHaveLength(rows[0].spans!);
    const compared = await served.get<ComparisonReply>("comparison", {
      run: "collection",
      first: "evaluations/sft",
      second: "evaluations/vanilla",
    });
    expect(compared.items.map(({ title }) => title)).toEqual(["Which moves became more and fewer: SFT → Vanilla GSPO"]);
  });

  it("appears when it is made while somebody looks", async () => {
    expect((await served.get<RunReply>("run", { run: "plain" })).analysis).toBeUndefined();
    const inputs = [{ path: join(served.folder, "plain", "evaluations", "sft"), name: "sft" }];
    const options = { replicates: 10, motifsPerLength: 2 };
    await analyzeInto(join(served.folder, "plain", "analysis"), { inputs, analysis: options, workers: 1 });
    await expect
      .poll(async () => (await served.get<RunReply>("run", { run: "plain" })).analysis?.stage)
      .toBe("analysis");
  });

  it("says when what it read has grown since, or was changed without growing", async () => {
    const log = join(served.folder, "analyzed", "vanilla", "rollouts.jsonl");
    const before = await readFile(log, "utf8");
    // Touched and the same: nothing has changed.
    await writeFile(log, before);
    expect((await served.get<RunReply>("run", { run: "analyzed" })).analysis?.outdated).toBeUndefined();
    await writeFile(log, before.replace(/a/, "b"));
    const changed = await served.get<RunReply>("run", { run: "analyzed" });
    expect(changed.analysis?.outdated).toBe("analyzed/vanilla/rollouts.jsonl has changed");
    await appendFile(log, "\n");
    const { analysis: entry } = await served.get<RunReply>("run", { run: "analyzed" });
    expect(entry?.outdated).toBe("analyzed/vanilla/rollouts.jsonl has grown");
  });
});
