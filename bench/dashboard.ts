// The dashboard as somebody at a browser has it, over a hundred thousand rollouts: first paint, opening a trace of 25,000
// tokens, filters and searches from the click to the painted list, and what server and page hold in memory. The server is
// the built command in a process of its own. Times are wall time in the browser and so include everybody else's work on
// the machine; the server's CPU seconds stand beside them.
//
//   npx tsx bench/dashboard.ts [--rollouts 100000] [--repeats 7]
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { writeLargeRun } from "../test/dashboard/large-run.ts";
import { browserPath, howToGetOne, launchBrowser } from "../test/dashboard/page-browser.ts";

const { values } = parseArgs({
  options: { rollouts: { type: "string", default: "100000" }, repeats: { type: "string", default: "7" } },
});
const [rollouts, repeats] = [Number(values.rollouts), Number(values.repeats)];
const run = "large";
const longTraces = 20;

type Measured = {
  readonly what: string;
  readonly times: number[];
  readonly limit: number;
  /** Of the server, for each time. */
  readonly cpuMs: number;
};
const measured: Measured[] = [];

if (browserPath === undefined) {
  console.error(howToGetOne);
  process.exit(1);
}

const home = await mkdtemp(join(tmpdir(), "repertoire-bench-"));
await writeLargeRun(join(home, run), { rollouts, longTraces, longCharacters: 100_000 });
const server = spawn(
  process.execPath,
  [resolve(import.meta.dirname, "../dist/cli/main.js"), "dashboard", home, "--port", "0"],
  {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  },
);
const browser = await launchBrowser();
try {
  const url = await addressOf(server);
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.addInitScript({ path: resolve(import.meta.dirname, "dashboard-in-page.js") });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));

  await firstPaints(page, url, "first paint, list of runs", "/");
  await firstPaints(page, url, "first paint, a run", `/runs/${run}`);
  await firstPaints(page, url, "first paint, rollouts", `/runs/${run}/rollouts`);
  const indexed = await untilIndexed(url);
  console.log(
    `${indexed} rollouts read and labeled after ${(cpuSeconds(server)).toFixed(1)} CPU seconds of the server`,
  );

  await page.goto(`${url}/runs/${run}/rollouts`);
  await page.evaluate(`measuring.whenCount(${indexed})`);
  await filters(page, indexed);
  await traces(page, url);
  report(await memoryOf(page), complaints);
} finally {
  await browser.close();
  server.kill();
  await rm(home, { recursive: true });
}

async function firstPaints(page: Page, url: string, what: string, path: string): Promise<void> {
  const times: number[] = [];
  const before = cpuSeconds(server);
  for (let i = 0; i < repeats; i++) {
    // From another page each time, so that nothing is left of the last one but the browser's cache.
    await page.goto("about:blank");
    await page.goto(url + path);
    times.push(await page.evaluate<number>("measuring.firstPaint()"));
  }
  measured.push({ what, times, limit: 1000, cpuMs: cpuSince(before) });
}

async function filters(page: Page, all: number): Promise<void> {
  const verdict = page.locator('fieldset:has(legend:text-is("verdict")) label', { hasText: "correct" });
  await measure(page, all, "filter: verdict", () => verdict.click());
  const backtrack = page.locator(".primitive-filter button", { hasText: "backtrack" });
  await measure(page, all, "filter: primitive", () => backtrack.click());
  await measure(page, all, "filter: motif", () => enter(page, "motif", "CKCKC"));
  // Another text each time, because what was searched is remembered.
  await measure(page, all, "search in all texts", (i) => enter(page, "search the text", `hyp ${20 + i}`));
}

/** The list follows typing after a pause; Enter is what a reader who knows that presses. */
async function enter(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label);
  await field.fill(text);
  await field.press("Enter");
}

/** From the act to the painted list; then everything is shown again, which is not counted. */
async function measure(page: Page, all: number, what: string, act: (i: number) => Promise<void>): Promise<void> {
  const times: number[] = [];
  const before = cpuSeconds(server);
  for (let i = 0; i < repeats; i++) {
    const painted = page.evaluate<number>("measuring.otherCount()");
    await act(i);
    times.push(await painted);
    await page.getByRole("button", { name: "Clear the filters" }).first().click();
    await page.evaluate(`measuring.whenCount(${all})`);
  }
  measured.push({ what, times, limit: 300, cpuMs: cpuSince(before) });
}

async function traces(page: Page, url: string): Promise<void> {
  const times: number[] = [];
  const before = cpuSeconds(server);
  await page.goto(`${url}/runs/${run}/rollouts?source=${encodeURIComponent("evaluations/long")}`);
  for (let i = 0; i < repeats; i++) {
    await page.evaluate(`measuring.whenCount(${longTraces})`);
    const row = page.locator(`[data-index="${i + 1}"] a`);
    await row.waitFor();
    const painted = page.evaluate<number>("measuring.openedTrace()");
    await row.click();
    times.push(await painted);
    await page.goBack();
  }
  measured.push({ what: "open a trace of 25,000 tokens", times, limit: 200, cpuMs: cpuSince(before) });
}

async function untilIndexed(url: string): Promise<number> {
  for (;;) {
    const reply = await fetch(`${url}/api/rollouts?run=${run}&limit=1`);
    const { indexed, total } = (await reply.json()) as { indexed: number; total: number };
    if (total >= rollouts && indexed === total) return total;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
  return `memory: server ${(Number(resident) / 1024).toFixed(0)} MB resident, page ${(usedSize / 2 ** 20).toFixed(0)} MB of JavaScript`;
}

function report(memory: string, complaints: readonly string[]): void {
  console.log("\nmilliseconds, wall time in the browser; what the server's processor did for each beside it\n");
  console.log(
    `${"".padEnd(32)}${["median", "worst", "limit", "server CPU"].map((title) => title.padStart(11)).join("")}`,
  );
  for (const { what, times, limit, cpuMs } of measured) {
    const sorted = [...times].sort((a, b) => a - b);
    const cells = [sorted[sorted.length >> 1], sorted[sorted.length - 1], limit, cpuMs];
    console.log(`${what.padEnd(32)}${cells.map((cell) => cell.toFixed(0).padStart(11)).join("")}`);
  }
  console.log(`\n${memory}; ${cpuSeconds(server).toFixed(1)} CPU seconds of the server in all`);
  if (complaints.length > 0) console.log(`the browser complained: ${complaints.join("; ")}`);
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    stdout!.on("data", (text) => {
      const found = /http:\/\/\S+?(?=\/\s)/.exec(String(text));
      if (found !== null) resolve(found[0]);
    });
    stdout!.on("end", () => reject(new Error("the dashboard ended before it was ready")));
  });
}

function cpuSince(before: number): number {
  return (1000 * (cpuSeconds(server) - before)) / repeats;
}

function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  // User and system ticks, a hundred a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
