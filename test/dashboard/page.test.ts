// The page that needs no server, opened from a disk in a real browser: what is dropped on it becomes a run there, it
// answers as the server does, stays awake while it works, and asks nobody for anything.
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutsReply, RunReply } from "../../src/dashboard/api.ts";
import { writePage } from "../../src/dashboard/page/write-page.ts";
import { analyzeRun } from "../../src/traces/run-analysis.ts";
import { writeEnglishRun } from "../fixtures/english-run.ts";
import {
  browserPath,
  expectReadable,
  howToGetOne,
  launchBrowser,
  newContext,
  overflow,
  type Watched,
  watchedPage,
} from "./page-browser.ts";
import { client, settled } from "./page-suite.ts";
import { queryText, ServedFolder } from "./served-folder.ts";

type Query = Readonly<Record<string, string | number | readonly string[]>>;

const thought = (i: number, wrong: boolean) =>
  [
    `I need to multiply ${i + 3} by ${i + 7}.`,
    `First, ${i + 3} times ${i + 7} is ${(i + 3) * (i + 7)}.`,
    `Let me check: ${(i + 3) * (i + 7)} divided by ${i + 7} is ${i + 3}, so this is correct.`,
    ...(wrong ? ["Suppose it were one more instead. Wait, that does not work; let me go back."] : []),
  ].join("\n\n");

const records = (count: number, wrong: (i: number) => boolean) =>
  Array.from({ length: count }, (_, i) => ({
    problem: `p${i}`,
    prompt: `What is ${i + 3} times ${i + 7}?`,
    response: `<think>${thought(i, wrong(i))}</think>\nThe answer is ${(i + 3) * (i + 7)}.`,
    correct: !wrong(i),
  }));
type Records = ReturnType<typeof records>;

const jsonLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const csv = (rows: Records) =>
  `problem,prompt,response,correct\n${rows.map(({ problem, prompt, response, correct }) => `${problem},${prompt},"${response}",${correct}\n`).join("")}`;
const parquet = (rows: Records) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: (["problem", "prompt", "response", "correct"] as const).map((name) => ({
        name,
        data: rows.map((row) => row[name]),
      })),
    }),
  );

/** As Inspect writes its logs. */
const inspect = (rows: Records) =>
  zipSync(
    Object.fromEntries([
      ["header.json", new TextEncoder().encode(JSON.stringify({ eval: { model: "m", task: "t" } }))],
      ...rows.map(({ problem, prompt, response, correct }, i) => [
        `samples/${problem}_epoch_1.json`,
        new TextEncoder().encode(
          JSON.stringify({
            ...{ id: problem, epoch: 1, input: prompt, target: String((i + 3) * (i + 7)) },
            messages: [
              { role: "user", content: prompt },
              { role: "assistant", content: response },
            ],
            output: { model: "m", choices: [{ message: { role: "assistant", content: response } }] },
            scores: { match: { value: correct ? "C" : "I" } },
          }),
        ),
      ]),
    ]),
  );

const suite = browserPath === undefined ? describe.skip : describe;
suite(browserPath === undefined ? `the page (${howToGetOne})` : "the page", () => {
  let home: string;
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let address: string;
  const asked: string[] = [];

  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    await mkdir(join(home, name, ".."), { recursive: true });
    await writeFile(join(home, name), content);
    return join(home, name);
  };
  const fresh = async (at = address) => {
    watched.complaints.length = 0;
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto("about:blank");
    await page.goto(at);
  };
  const give = (paths: string | string[], label = "choose files") => page.getByLabel(label).setInputFiles(paths);
  const isShown = async (name: string) => {
    await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
    await page.getByRole("heading", { name: "Rollouts to read" }).waitFor();
  };
  const rollouts = async (count: string) => {
    await page.getByRole("link", { name: "Rollouts", exact: true }).click();
    await page.locator(".count").getByText(count).waitFor();
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "repertoire-page-"));
    address = pathToFileURL(await writePage({ out: join(home, "site"), client })).href;
    browser = await launchBrowser();
    watched = await watchedPage(await newContext(browser, "with axe"));
    page = watched.page;
    page.on("request", (request) => {
      if (!/^(?:file|blob|data|about):/.test(request.url())) asked.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(home, { recursive: true, force: true });
  });

  const few = records(12, (i) => i % 3 === 0);
  it.each([
    ["JSON lines", "base.jsonl", jsonLines(few)],
    ["a JSON document", "base.json", JSON.stringify(few)],
    ["CSV", "base.csv", csv(few)],
    ["gzip", "base.jsonl.gz", gzipSync(jsonLines(few))],
    ["Parquet", "base.parquet", parquet(few)],
    ["a log of Inspect", "base.eval", inspect(few)],
  ])("%s is read where it is dropped", async (_, name, content) => {
    await fresh();
    await give(await file(name, content));
    await isShown("base");
    // Inspect's own grade is not believed where the gold answer says otherwise.
    await page
      .getByText(/66\.7%|67%|100%/)
      .first()
      .waitFor();
    await rollouts("12 rollouts");
    expect(watched.complaints).toEqual([]);
  });

  it("Zstandard is read", async (context) => {
    const plain = await file("packed/base.jsonl", jsonLines(few));
    try {
      execFileSync("zstd", ["-q", "-f", plain]);
    } catch {
      context.skip("no program zstd here");
    }
    await fresh();
    await give(`${plain}.zst`);
    await isShown("base");
    await rollouts("12 rollouts");
  });

  it("several files are checkpoints; a trace has its spans, and a search finds it", async () => {
    await fresh();
    const names = ["base.jsonl", "rl.jsonl"];
    await give([await file(names[0], jsonLines(few)), await file(names[1], jsonLines(records(12, (i) => i < 2)))]);
    await isShown("base");
    await rollouts("24 rollouts");
    await page
      .getByRole("searchbox")
      .or(page.getByLabel(/search/i))
      .first()
      .fill("one more instead");
    await page.locator(".count b").getByText("6", { exact: true }).waitFor();
    await page.locator(".rollout-row").first().click();
    await page.getByRole("complementary", { name: "About this trace" }).waitFor();
    await page.getByText("one more instead").first().waitFor();
    await settled(page);
    await expectReadable(watched);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBe(0);
  });

  it("a folder of rollouts and pasted text are read", async () => {
    await fresh();
    await file("dump/0.jsonl", jsonLines(few));
    await file("dump/1.jsonl", jsonLines(records(12, () => false)));
    await give(join(home, "dump"), "choose a folder");
    await isShown("dump");
    await page.getByRole("link", { name: "Repertoire" }).click();
    await page.getByText("Paste", { exact: true }).click();
    await page.getByLabel("Rollouts as text").fill(jsonLines(few));
    await page.getByRole("button", { name: "Read" }).click();
    await isShown("pasted");
    await page.getByRole("link", { name: "Repertoire" }).click();
    await page.getByRole("link", { name: "dump" }).waitFor();
  });

  it("says what cannot be read and goes on; too much is refused with the command that reads it", async () => {
    await fresh();
    await give(await file("notes.jsonl", '{"nothing": 1}\nnot JSON\n'));
    await page.getByRole("alert").getByText("no known format").waitFor();
    await give(await file("broken.parquet", "no table"));
    await page.getByRole("alert").getByText("broken").first().waitFor();
    const large = join(home, "large.jsonl");
    const handle = await open(large, "w");
    await handle.truncate(300 * 2 ** 20);
    await handle.close();
    await give(large);
    await page.getByRole("alert").getByText("npx repertoire look large.jsonl").waitFor();
    await expectReadable(watched);
    await give(await file("base.jsonl", jsonLines(few)));
    await isShown("base");
  });

  it("10,000 traces: the page answers while it works, and can be told to stop", async () => {
    await fresh();
    const many = await file("many.jsonl", jsonLines(records(10_000, (i) => i % 4 === 0)));
    // Frames that the page draws while workers work; a page that froze would draw none.
    await page.evaluate(`globalThis.frames = 0; (function count() { frames += 1; requestAnimationFrame(count); })()`);
    await give(many);
    await page.getByRole("status").getByText("reading").waitFor();
    const before = (await page.evaluate("frames")) as number;
    await page.getByRole("button", { name: /^Theme: system/ }).click();
    await page.getByRole("button", { name: /^Theme: light/ }).waitFor();
    await page.getByRole("status").getByText("labeling").waitFor();
    expect((await page.evaluate("frames")) as number).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => page.locator(".opening").count()).toBe(0);
    await give(many);
    await isShown("many");
    await rollouts("10,000 rollouts");
  });

  it("the page itself can be read in light, dark and on a phone, and connects to nowhere", async () => {
    await fresh();
    await page.getByText("Nothing leaves this machine").waitFor();
    await expectReadable(watched);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBe(0);
    const tried = await page.evaluate(`fetch("https://example.org/").then(() => "reached", () => "refused")`);
    expect(tried).toBe("refused");
    expect(asked).toEqual([]);
  });

  it("a run that comes with the page answers every question as the server does", async () => {
    const note = { source: "evaluations/sft", row: 2, text: "read this", tags: ["loop"], bookmarked: true };
    const served = await ServedFolder.start(async (folder) => {
      await writeEnglishRun(join(folder, "english"), { card: "absent" });
      await analyzeRun(join(folder, "english"), { analysis: { replicates: 40, motifsPerLength: 10 }, workers: 1 });
    });
    try {
      const run = "english";
      await served.indexed(run);
      await served.server.library.note({ run, ...note });
      await cp(join(served.folder, run), join(home, run), { recursive: true });
      const written = await writePage({
        out: join(home, "with-run"),
        client,
        run: { path: join(home, run), name: run },
      });
      await fresh(`${pathToFileURL(written).href}#/runs/${run}`);
      await isShown(run);
      const archive = /="([^"]+)"/.exec(await readFile(join(home, "with-run", "data", "run.js"), "utf8"))![1];
      const ask = await labIn(page, run, archive);
      // A page answers at once with what it has; compared is what it says when everything is read.
      const { total } = await served.get<RolloutsReply>("rollouts", { run });
      await expect.poll(async () => ((await ask("rollouts", `run=${run}`)) as RolloutsReply).indexed).toBe(total);
      const pair = { first: "evaluations/sft", second: "evaluations/vanilla" };
      const questions: [string, Query][] = [
        ["items", {}],
        ["query", { sql: "SELECT checkpoint, count(*) AS n, avg(chain_depth) AS d FROM traces GROUP BY 1 ORDER BY 1" }],
        ["query", { sql: "SELECT m.motif, sum(m.count) AS n FROM motifs m GROUP BY 1 ORDER BY 2 DESC LIMIT 3" }],
        ["problems", {}],
        ["pairs", { ...pair, set: "all mathematics" }],
        ["comparison", { ...pair, scope: "all mathematics" }],
        ["problem", { problem: "unknown" }],
        ["rollouts", { limit: 500 }],
        ["rollouts", { verdict: ["correct", "wrong"], primitive: "backtrack", sort: "depth", order: "desc" }],
        ["rollouts", { category: "verification trigrams", puzzle: "undead" }],
        ["rollouts", { source: "evaluations/sft", text: "cell" }],
        ["rollouts", { tag: "loop" }],
        ["trace", { source: "evaluations/sft", row: 2 }],
        ["trace", { source: "vanilla", row: 5 }],
      ];
      for (const [route, query] of questions) {
        const there = await served.get(route, { run, ...query });
        const here = await ask(route, queryText({ run, ...query }));
        expect(rounded(here), `${route} ${JSON.stringify(query)}`).toEqual(rounded(there));
      }
      expect(await ask("notes", `run=${run}`)).toEqual({
        ...(await served.get<object>("notes", { run })),
        writable: false,
      });
      const about = (reply: RunReply) => ({
        ...reply,
        run: { ...reply.run, changed: "", stages: reply.run.stages.length },
      });
      expect(about((await ask("run", `run=${run}`)) as RunReply)).toEqual(
        about(await served.get<RunReply>("run", { run })),
      );
      await expect(ask("rollouts", `run=${run}&limit=9999`)).rejects.toThrow(/limit/);
    } finally {
      await served.close();
    }
  });
});

/** Browsers and Node differ in the last digits of logarithms. */
const rounded = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply, (_, value) => (typeof value === "number" ? Number(value.toPrecision(9)) : value)));

/** A worker of the page's script, asked as the page asks it. */
async function labIn(page: Page, name: string, archive: string) {
  await page.evaluate(
    async ({ name, archive }) => {
      type Web = {
        repertoireLab: unknown;
        Worker: new (
          address: string,
        ) => {
          onmessage: (message: { data: Record<string, unknown> }) => void;
          postMessage(data: unknown): void;
        };
        ask: (route: string, query: string) => Promise<unknown>;
      };
      const web = globalThis as unknown as Web;
      const script = new Blob([`(${web.repertoireLab})()`], { type: "text/javascript" });
      const worker = new web.Worker(URL.createObjectURL(script));
      const content = new Blob([Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0))]);
      worker.postMessage({ open: [{ path: "run.zip", content }], name, script });
      await new Promise<void>((resolve) => {
        worker.onmessage = ({ data }) => "opened" in data && resolve();
      });
      let id = 0;
      web.ask = (route, query) =>
        new Promise((resolve, reject) => {
          const own = id++;
          worker.onmessage = ({ data }) => {
            if (data.id !== own) return;
            if ("reply" in data) resolve(JSON.parse(data.reply as string));
            else reject(new Error(data.refused as string));
          };
          worker.postMessage({ id: own, route, query });
        });
    },
    { name, archive },
  );
  return (route: string, query: string): Promise<unknown> =>
    page.evaluate(
      ([route, query]) =>
        (globalThis as unknown as { ask: (route: string, query: string) => Promise<unknown> }).ask(route, query),
      [route, query],
    );
}
