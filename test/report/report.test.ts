import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RunFolderError } from "../../src/base/errors.ts";
import { mannWhitney } from "../../src/base/statistics/mann-whitney.ts";
import { type Item, isFigure } from "../../src/drawing/item.ts";
import { itemSvg } from "../../src/drawing/item-svg.ts";
import { summaryOf } from "../../src/evaluation/summarize.ts";
import { type WrittenReport, writeReport } from "../../src/report/report.ts";
import { readRuns } from "../../src/report/run-data.ts";
import { reportSections } from "../../src/results/results.ts";
import { settingName } from "../../src/results/setting-names.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { defaultAnalysis } from "../../src/traces/analysis/analysis.ts";
import { readRecords } from "../../src/traces/analysis/analysis-folder.ts";
import { chainDepth } from "../../src/traces/depth.ts";
import { readSequence } from "../../src/traces/sequence.ts";
import { writeInventedRun } from "./invented-run.ts";

// Drawing and analyzing take seconds, and a busy machine takes many of them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Intervals need not be good here. */
const quick = { ...defaultAnalysis, replicates: 100, motifsPerLength: 3 };
const options = { out: "", analysis: quick };

let root: string;
let run: string;
let written: WrittenReport;
const report = (...path: string[]) => join(run, "report", ...path);
const read = (path: string) => readFile(path, "utf8");

function svgOf(items: readonly Item[], id: string): string {
  const item = items.find((one) => one.id === id);
  if (item === undefined || !isFigure(item)) throw new Error(`${id} is no figure`);
  return itemSvg(item, paperTaxonomy);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "report-"));
  run = join(root, "invented");
  await writeInventedRun(run);
  written = await writeReport({ analysis: quick, runs: [run] });
});

afterAll(() => rm(root, { recursive: true, force: true }));

const figures = [
  "changes",
  "story",
  "pass-at-k",
  "pass-at-k-by-puzzle",
  "solve-rates",
  "primitives-after-sft",
  "exploitation",
  "suppression-by-checkpoint",
  "breadth-motifs",
  "chain-depth",
  "breadth-chain-depth",
  "depth-by-success",
  "depth-by-size",
  "depth-by-puzzle",
  "suppression-over-training",
  "primitives-over-training",
  "recovery-by-subset",
  "training-curves",
  "sft-curves",
  "traces-depth",
  "traces-recovery",
];
const tables = [
  "changes-table",
  "changes-spans",
  "glance",
  "claims-totals",
  "claims",
  "accuracy",
  "attempts",
  "accuracy-puzzles",
  "transitions",
  "solve-set-split",
  "support",
  "primitive-composition",
  "breadth-hypothesize-backtrack",
  "breadth-motifs-table",
  "motifs",
  "depth-statistics",
  "depth-decomposition",
  "breadth-chain-depth-table",
  "mann-whitney",
  "moves-by-subset",
  "recovery-in-success",
  "necessity",
  "alternatives",
  "novelty-signal",
  "settings-sft",
  "settings-rl",
];

const unshown = ["What rises and falls with pass@k across checkpoints", "Motifs of solved traces, by problem subset"];

describe("the report of a whole run", () => {
  it("holds every figure and table but those that four checkpoints and parts of few problems cannot show", async () => {
    expect(written.missing.map(({ title }) => title)).toEqual(unshown);
    expect(written.gaps).toEqual([]);
    expect((await readdir(report("figures"))).sort()).toEqual(
      figures.flatMap((id) => [`${id}.pdf`, `${id}.png`, `${id}.svg`]).sort(),
    );
    expect((await readdir(report("tables"))).sort()).toEqual(
      tables.flatMap((id) => ["csv", "md", "tex", "short.tex"].map((form) => `${id}.${form}`)).sort(),
    );
    const page = await read(report("index.html"));
    for (const id of [...figures, ...tables]) expect(page).toContain(`id="${id}"`);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  it("settings have names, not keys", async () => {
    for (const table of ["settings-rl.csv", "settings-sft.csv"]) {
      const names = (await read(report("tables", table)))
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",")[0]);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(name).not.toMatch(/[a-z][A-Z]|\w\.\w/);
    }
    expect(settingName("objective.advantage.normalization.epsilon")).toBe("advantage normalization: epsilon");
    expect(settingName("evaluation.maxTokens")).toBe("evaluation: max tokens");
    expect(settingName("objective.kl.clip")).toBe("KL: clip");
    expect(settingName("objective.advantage.bonus.weight")).toBe("bonus weight α");
  });

  it("a set that nobody solves is drawn as such: on the whole scale, without bands", async () => {
    const data = await readRuns([run], { ...options, out: report() });
    const unsolved = data.checkpoints.map((checkpoint) => {
      const tallies = checkpoint.tallies?.map((tally) => {
        const { correct, wrong, ...others } = tally.verdicts;
        return tally.set === "mathematics"
          ? { ...tally, verdicts: { ...others, correct: 0, wrong: correct + wrong } }
          : tally;
      });
      return { ...checkpoint, tallies, summary: summaryOf(tallies ?? [], { policy: "p", servedBy: [], warnings: [] }) };
    });
    const draw = (checkpoints: typeof data.checkpoints) => {
      const [section] = reportSections({ ...data, checkpoints }).filter(({ id }) => id === "accuracy");
      return svgOf(section.items, "pass-at-k");
    };
    const bands = (svg: string) => svg.match(/fill-opacity="0\.1\d*"/g)?.length ?? 0;
    const [before, after] = [draw(data.checkpoints), draw(unsolved)];
    expect(before).not.toContain("none solved");
    expect(after).toContain("none solved · mathematics");
    expect(bands(after)).toBe(bands(before) - data.checkpoints.length);
  });

  it("the story has one row a domain, also where checkpoints were asked different numbers of problems", async () => {
    const data = await readRuns([run], { ...options, out: report() });
    const scopes = data.analysis!.scopes.map((scope) => ({
      ...scope,
      checkpoints: scope.checkpoints.map((one, i) => (i === 0 ? { ...one, problems: one.problems - 1 } : one)),
    }));
    const draw = (analysis: typeof data.analysis) => {
      const [section] = reportSections({ ...data, analysis }).filter(({ id }) => id === "overview");
      return svgOf(section.items, "story");
    };
    const rows = (svg: string) => svg.match(/chain depth/g)?.length;
    const [before, after] = [draw(data.analysis), draw({ ...data.analysis!, scopes })];
    expect(rows(after)).toBe(rows(before));
    expect(after).toMatch(/\(\d+–\d+ problems\)/);
  });

  it("the story leaves out further evaluations of a policy that it shows", async () => {
    const data = await readRuns([run], { ...options, out: report() });
    const story = (shown: typeof data) => svgOf(reportSections(shown)[0].items, "story");
    const further = (key: string) => {
      const [policy] = data.checkpoints;
      const scopes = data.analysis!.scopes.map((scope) => ({
        ...scope,
        checkpoints: scope.checkpoints.flatMap((one) =>
          one.checkpoint === policy.key ? [one, { ...one, checkpoint: key }] : [one],
        ),
      }));
      const checkpoints = [...data.checkpoints, { ...policy, key, name: "one more" }];
      return { ...data, checkpoints, analysis: { ...data.analysis!, scopes } };
    };
    expect(story(further(`${data.checkpoints[0].key}-greedy`))).toBe(story(data));
    expect(story(further("another-greedy"))).toContain("one more");
  });

  it.each(figures)("%s is drawn as it was", async (id) => {
    await expect(await read(report("figures", `${id}.svg`))).toMatchFileSnapshot(`snapshots/${id}.svg`);
  });

  it.each([
    "accuracy.csv",
    "mann-whitney.csv",
    "solve-set-split.tex",
    "novelty-signal.csv",
    "primitive-composition.csv",
    "transitions.csv",
  ])("%s says what it said", async (name) => {
    await expect(await read(report("tables", name))).toMatchFileSnapshot(`snapshots/${name}`);
  });

  it("the numbers are those of the files", async () => {
    const evaluation = join(run, "evaluations", "vanilla");
    const lines = async (name: string) =>
      (await read(join(evaluation, name)))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const sets = new Map((await lines("problems.jsonl")).map(({ id, set }) => [id, set]));
    const grades = (await lines("grades.jsonl")).filter(({ problem }) => sets.get(problem) === "mathematics");
    const solved = grades.filter(({ verdict }) => verdict === "correct").length;
    const rows = (await read(report("tables", "accuracy.csv")))
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    const cell = rows.find(([name]) => name === "Vanilla GSPO")![rows[0].indexOf("mathematics @1")];
    expect(Number(cell)).toBeCloseTo(solved / grades.length, 10);

    const vanilla = await readRecords(join(run, "analysis"), ["vanilla"]);
    const depths = (correct: boolean) =>
      vanilla
        .filter((trace) => trace.correct === correct && sets.get(trace.problem) === "mathematics")
        .map(({ sequence }) => chainDepth(readSequence(sequence)));
    const tested = (await read(report("tables", "mann-whitney.csv")))
      .split("\n")
      .find((line) => line.startsWith("mathematics,Vanilla"))!;
    expect(Number(tested.split(",")[5])).toBe(mannWhitney(depths(true), depths(false))!.u);
  });

  it("is one page without scripts or anything from elsewhere", async () => {
    const page = await read(report("index.html"));
    expect(page).not.toMatch(/<script|javascript:|<link|<img|@import|url\(/i);
    expect(page).not.toMatch(/(?:src|href)="(?!#|figures\/|tables\/)/);
    expect(page).toContain("default-src 'none'");
  });

  it("every part says its n and the command that makes it", async () => {
    const page = await read(report("index.html"));
    expect(page.match(/<dt>n<\/dt>/g)).toHaveLength(figures.length + tables.length);
    for (const id of [...figures, ...tables]) expect(page).toContain(`--only ${id}</code>`);
  });

  it("made again it has the same bytes", async () => {
    const out = join(root, "again");
    await writeReport({ analysis: quick, runs: [run], out });
    for (const name of ["figures/pass-at-k.svg", "tables/glance.csv", "figures/suppression-over-training.png"]) {
      expect((await readFile(join(out, name))).equals(await readFile(report(name)))).toBe(true);
    }
  });

  it("made again in its place it draws only what is new, and removes what it no longer makes", async () => {
    const out = join(root, "in-place");
    await writeReport({ analysis: quick, runs: [run], out, only: ["pass-at-k", "sft-curves"] });
    await writeFile(join(out, "figures", "pass-at-k.png"), "kept");
    await writeFile(join(out, "figures", "sft-curves.svg"), "another drawing");
    await writeFile(join(out, "figures", "gone.svg"), "<svg/>");
    await writeReport({ analysis: quick, runs: [run], out });
    expect(await read(join(out, "figures", "pass-at-k.png"))).toBe("kept");
    expect(await read(join(out, "figures", "sft-curves.svg"))).toBe(await read(report("figures", "sft-curves.svg")));
    expect(await readdir(join(out, "figures"))).not.toContain("gone.svg");
  });

  it("the signal table has the evaluations that traces signal has scored", async () => {
    const scored = join(root, "scored");
    await cp(run, scored, { recursive: true, filter: (source) => !source.endsWith("report") });
    const rows = ["mean NLL (full response)", "top-10 NLL"].map((signal, i) => ({
      signal,
      withinProblem: 0.01 + 0.1 * i,
      amplification: 1 + 10 * i,
      problems: 8,
    }));
    await writeFile(
      join(scored, "evaluations", "sft", "signals.json"),
      JSON.stringify({ reference: "sft", temperature: 1, tables: [{ set: "mathematics", rollouts: 64, rows }] }),
    );
    await writeReport({ analysis: quick, runs: [scored], only: ["novelty-signal"] });
    const table = await read(join(scored, "report", "tables", "novelty-signal.csv"));
    expect(table.split("\n")[0]).toContain("SFT · mathematics · T 1");
    expect(table).toContain("0.11");
  });

  it("--only makes one part, and names the parts when it knows none", async () => {
    const out = join(root, "only");
    const one = await writeReport({ analysis: quick, runs: [run], out, only: ["pass-at-k"] });
    expect([one.figures, one.tables]).toEqual([1, 0]);
    await expect(writeReport({ analysis: quick, runs: [run], out, only: ["pass"] })).rejects.toThrow(
      /unknown part of the report "pass"; expected one of: story, glance, claims-totals, claims, changes/,
    );
  });
});

describe("a run without one of its inputs", () => {
  const without = async (path: string) => {
    const copy = join(root, `without-${path.replaceAll("/", "-")}`);
    await cp(run, copy, { recursive: true, filter: (source) => !source.endsWith("report") });
    await rm(join(copy, path), { recursive: true, force: true });
    return copy;
  };

  it.each([
    ["corpus.jsonl", "corpus.jsonl"],
    ["evaluations/base", "the evaluation evaluations/base/"],
    ["evaluations/sft/rollouts.jsonl", "rollouts.jsonl"],
    ["evaluations/sft/problems.jsonl", "problems.jsonl"],
    ["evaluations/sft/grades.jsonl", "grades.jsonl"],
    ["vanilla", "the stage vanilla/"],
    ["vanilla/events.jsonl", "events.jsonl"],
    ["novelty/rollouts.jsonl", "rollouts.jsonl"],
    ["sft/events.jsonl", "events.jsonl"],
  ])("names %s", async (path, named) => {
    const { gaps } = await readRuns([await without(path)], options);
    expect(gaps.map(({ missing }) => missing)).toContain(named);
  });

  it("names a part that cannot be read, and has all others", async () => {
    const copy = await without("nothing");
    await writeFile(join(copy, "novelty", "run.json"), "{");
    const { gaps, training } = await readRuns([copy], options);
    expect(gaps.map(({ missing }) => missing)).toContainEqual(expect.stringMatching(/^a readable novelty \(/));
    expect(training.map(({ policy }) => policy)).toEqual(["vanilla"]);
  });

  it("says of each part what it needs, and draws no zero for it", async () => {
    const copy = await without("evaluations");
    const { missing } = await writeReport({ analysis: quick, runs: [copy] });
    expect(missing.map(({ title }) => title)).toContain("pass@k by checkpoint");
    expect(missing.find(({ title }) => title === "Chain depth, and exploit runs against pass@k")?.needs).toContain(
      "labeled traces",
    );
    expect(await readdir(join(copy, "report", "figures"))).not.toContain("pass-at-k.svg");
    const page = await read(join(copy, "report", "index.html"));
    expect(page).toContain("What is missing");
    expect(page).toContain("<b>the evaluation evaluations/novelty/</b>");
  });

  it("a run without KL has all its steps, and no panel for KL", async () => {
    const free = join(root, "free");
    await cp(run, free, { recursive: true, filter: (source) => !source.endsWith("report") });
    for (const stage of ["vanilla", "novelty"]) {
      const path = join(free, stage, "events.jsonl");
      await writeFile(path, (await read(path)).replaceAll(/"kl":[\d.e-]+,/g, ""));
    }
    const [before, after] = [await readRuns([run], options), await readRuns([free], options)];
    expect(after.training.map(({ steps }) => steps.length)).toEqual(before.training.map(({ steps }) => steps.length));
    await writeReport({ analysis: quick, runs: [free] });
    const svg = await read(join(free, "report", "figures", "training-curves.svg"));
    expect(svg).toContain("Clip fraction");
    expect(svg).not.toContain("KL from the reference");
  });

  it("a torn last line is no news, a broken one in the middle is", async () => {
    const torn = join(root, "torn");
    await cp(run, torn, { recursive: true });
    await appendFile(join(torn, "vanilla", "events.jsonl"), '{"type":"rl-st');
    expect((await readRuns([torn], options)).gaps).toEqual([]);
    const path = join(torn, "novelty", "events.jsonl");
    await writeFile(path, `not json\n${await read(path)}`);
    expect((await readRuns([torn], options)).gaps.map(({ missing }) => missing)).toEqual([
      "1 lines of events.jsonl that are not JSON",
    ]);
  });

  it("a run that has only begun is a page of what it lacks", async () => {
    const begun = join(root, "begun");
    await mkdir(begun);
    await cp(join(run, "run.json"), join(begun, "run.json"));
    const { figures: drawn, tables: written, missing, gaps } = await writeReport({ analysis: quick, runs: [begun] });
    expect([drawn, written]).toEqual([0, 0]);
    expect(missing).toHaveLength(figures.length + tables.length + unshown.length);
    expect(gaps.map(({ missing }) => missing)).toEqual([
      "corpus.jsonl",
      "the stage sft/",
      "the stage vanilla/",
      "the stage novelty/",
      "the evaluation evaluations/base/",
      "the evaluation evaluations/sft/",
      "the evaluation evaluations/vanilla/",
      "the evaluation evaluations/novelty/",
    ]);
  });

  it("a folder that is no run says what would be one", async () => {
    await expect(writeReport({ analysis: quick, runs: [join(root, "nothing")] })).rejects.toThrow(
      /is not a run folder/,
    );
    await expect(writeReport({ analysis: quick, runs: [join(root, "nothing")] })).rejects.toThrow(RunFolderError);
  });
});

describe("evaluations on their own", () => {
  it("are shown together under their names", async () => {
    const out = join(root, "together");
    const folders = ["sft", "novelty"].map((policy) => join(run, "evaluations", policy));
    const { missing } = await writeReport({ analysis: quick, runs: folders, out });
    const table = await read(join(out, "tables", "accuracy.csv"));
    expect(table).toMatch(/SFT[\s\S]*Novelty bonus/);
    expect(missing.map(({ title }) => title)).toContain("RL over training steps");
  });
});

describe("hostile content", () => {
  const attack = `</text></svg><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0007`;

  it("in traces, sets, problems and the run's own name shows as text", async () => {
    const copy = join(root, `<script>alert(2)<`);
    await cp(run, copy, { recursive: true, filter: (source) => !source.endsWith("report") });
    for (const policy of ["base", "sft", "vanilla", "novelty"]) {
      for (const name of ["problems.jsonl", "rollouts.jsonl", "grades.jsonl"]) {
        const path = join(copy, "evaluations", policy, name);
        const hostile = (await read(path))
          .replaceAll("held-out puzzles", JSON.stringify(attack).slice(1, -1))
          .replaceAll("bridges 6x6:invented-0", `${JSON.stringify(attack).slice(1, -1)}`)
          .replaceAll(": 1 2 >", JSON.stringify(attack).slice(1, -1));
        await writeFile(path, hostile);
      }
    }
    const { gaps } = await writeReport({ analysis: quick, runs: [copy] });
    expect(gaps).toEqual([]);
    const folder = join(copy, "report");
    const figures = (await readdir(join(folder, "figures"))).filter((name) => name.endsWith(".svg"));
    const files = ["index.html", ...figures.map((name) => `figures/${name}`)];
    for (const file of files) {
      const content = await read(join(folder, file));
      expect(content, file).not.toMatch(/<script|<img|onerror=alert\(1\)>/i);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(content, file).not.toMatch(/[\u202e\u0007]/);
      expect(content.match(/<svg/g)?.length ?? 0, file).toBe(content.match(/<\/svg>/g)?.length ?? 0);
    }
    expect(await read(join(folder, "index.html"))).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(await read(join(folder, "index.html"))).toContain("‹U+202E›");
  });
});
