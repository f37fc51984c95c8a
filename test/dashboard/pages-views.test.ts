// Every page of the dashboard in a real browser: on real-shaped, empty, running, broken, hostile and long runs.
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page, Request } from "playwright-core";
import { expect, it } from "vitest";
import { DashboardServer } from "../../src/dashboard/server.ts";
import { galaxies } from "../../src/puzzles/galaxies/index.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { expectReadable } from "./page-browser.ts";
import {
  appendSteps,
  hostileName,
  hostileProblem,
  longTraceSpans,
  manyRollouts,
  patternId,
  writePageRuns,
} from "./page-runs.ts";
import { client, pageSuite, settled } from "./page-suite.ts";

const part = encodeURIComponent;

const views = {
  runs: ["/", "Runs"],
  run: ["/runs/invented", "invented"],
  "a resumed run": ["/runs/running", "running"],
  "a broken run": ["/runs/broken", "broken"],
  "runs side by side": [`/side-by-side?runs=${part("invented,running,boards")}`, "Runs side by side"],
  problems: ["/runs/invented/problems", "Problems"],
  problem: [`/runs/boards/problems/${part(`pattern ${patternId}`)}`, `pattern ${patternId}`],
  rollouts: ["/runs/invented/rollouts?verdict=correct&primitive=backtrack", "Rollouts"],
  trace: ["/runs/boards/traces/~./1", `pattern ${patternId}`],
  compare: ["/runs/invented/compare", "Compare"],
  "compare a problem": [
    `/runs/invented/compare?problem=${part("bridges 6x6:invented-1")}&first=${part("evaluations/sft")}&second=${part("evaluations/novelty")}`,
    "Compare",
  ],
  puzzles: ["/puzzles?size=5x5", "Puzzles"],
  "no view": ["/nowhere/at/all", "There is no view at this address"],
} as const;

/** The server answers again, once no handler holds a request: taken from one, its late answer fails whatever test runs then. */
const answerForItself = (page: Page) => page.unrouteAll({ behavior: "wait" });

const complete = ["boards", "invented", "many", hostileName];

/** A point of a curve says its value and its step to whoever points at it. */
const pointOf = (chart: Locator, step: number) =>
  chart
    .locator("title", { hasText: new RegExp(` at ${step}$`) })
    .first()
    .waitFor({ state: "attached" });

pageSuite("pages in a browser", { write: writePageRuns, complete, views }, (pages) => {
  const { on } = pages;

  it("a resumed run draws new steps without reloading, and warns when recovery dies out", async () => {
    await on("/runs/running", async (page) => {
      const chart = page.locator(".drawn", { has: page.getByRole("img", { name: "Solve rate", exact: true }) });
      await pointOf(chart, 2);
      await appendSteps(join(pages.home, "runs", "running"), 3, 12, (step) => (step < 6 ? 1.5 : 0.02));
      await pointOf(chart, 11);
      // Whoever listens hears it.
      await page.getByRole("alert", { name: "Alarms" }).getByText("recovery is vanishing").waitFor();
      // The same numbers are a table.
      await chart.getByText("table").click();
      await expect.poll(() => chart.getByRole("row").count()).toBe(13);
    });
  });

  it("a broken run says what is wrong, an empty folder what to do", async () => {
    await on("/runs/broken", async (page) => {
      await page.getByRole("alert").getByText("run.json").waitFor();
    });
    const empty = await mkdtemp(join(tmpdir(), "repertoire-empty-"));
    const other = await DashboardServer.start({ folder: empty, client, host: "127.0.0.1", port: 0 });
    try {
      for (const [path, text] of [["/", "repertoire run mini"]]) {
        await on(
          other.url + path,
          async (page, watched) => {
            await page.getByText(text).waitFor();
            await expectReadable(watched);
          },
          pages.inspected,
        );
      }
    } finally {
      await other.close();
      await rm(empty, { recursive: true });
    }
  });

  it("a page whose server went away says so, and goes on when it is back", async () => {
    const folder = join(pages.home, "runs");
    const first = await DashboardServer.start({ folder, client, host: "127.0.0.1", port: 0 });
    const port = Number(new URL(first.url).port);
    await pages.plain.page.goto(`${first.url}/runs/boards`);
    await pages.plain.page.getByRole("heading", { name: "boards", exact: true }).waitFor();
    await first.close();
    const notice = pages.plain.page.getByText("The server is gone");
    await notice.waitFor();
    const second = await DashboardServer.start({ folder, client, host: "127.0.0.1", port });
    await notice.waitFor({ state: "detached" });
    // What it asks of a server that is gone would be the next test's complaint.
    await pages.plain.page.goto("about:blank");
    await second.close();
  });

  it("a tab that nobody looks at gives its connection back, and catches up when it is looked at again", async () => {
    await on("/runs/running", async (page) => {
      const look = (hidden: boolean) =>
        page.evaluate((hidden) => {
          const { document, Event } = globalThis as unknown as {
            document: { dispatchEvent(event: unknown): void };
            Event: new (name: string) => unknown;
          };
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
      const chart = page.locator(".drawn", { has: page.getByRole("img", { name: "Solve rate", exact: true }) });
      await chart.waitFor();
      const givenBack = new Promise<void>((done) => {
        const end = (request: Request) => request.url().endsWith("/api/events") && done();
        page.on("requestfinished", end);
        page.on("requestfailed", end);
      });
      await look(true);
      await givenBack;
      await appendSteps(join(pages.home, "runs", "running"), 20, 22, () => 0.02);
      await look(false);
      await pointOf(chart, 21);
    });
  });

  it("a trace that the server has not read yet appears as soon as it has", async () => {
    const { page } = pages.plain;
    let read = false;
    await page.route("**/api/run?*", async (route) => {
      const reply = await (await route.fetch()).json();
      const sources = reply.sources.map((source: object) => ({ ...source, ...(!read && { indexed: 0 }) }));
      await route.fulfill({ json: { ...reply, sources } });
    });
    await page.route("**/api/trace?*", async (route) => {
      if (read) await route.continue();
      else await route.fulfill({ status: 404, json: { error: "there is no such rollout" } });
    });
    await page.goto(`${pages.server.url}/runs/boards/traces/~./1`);
    await page.getByText("still reading").waitFor();
    read = true;
    await page.getByRole("region", { name: "Text of the trace" }).waitFor();
    await answerForItself(page);
  });

  it("a view that fails says so, and the others still work", async () => {
    const { page } = pages.plain;
    await page.route("**/api/run?*", (route) => route.fulfill({ json: { run: null } }));
    try {
      await page.goto(`${pages.server.url}/runs/boards`);
      await page.getByRole("alert").getByText("This view failed").waitFor();
    } finally {
      await answerForItself(page);
    }
    await page.getByRole("link", { name: "Puzzles" }).click();
    await page.getByRole("heading", { name: "Puzzles" }).waitFor();
  });

  it("curves are calmed, cut to some steps and on either axis, and the address keeps it", async () => {
    await on("/runs/invented", async (page) => {
      const chart = page.locator(".drawn", { has: page.getByRole("img", { name: "Reward", exact: true }) });
      await pointOf(chart, 7);
      await page.getByLabel("steps from").fill("3");
      await page.getByLabel("steps to").fill("5");
      await expect.poll(() => chart.locator("title", { hasText: / at 7$/ }).count()).toBe(0);
      await page.getByLabel("curves").selectOption("3");
      await page.getByLabel("axis").selectOption("log");
      await page.reload();
      await pointOf(chart, 5);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        from: "3",
        to: "5",
        smooth: "3",
        axis: "log",
      });
      expect(await chart.locator("title", { hasText: / at 2$/ }).count()).toBe(0);
      await page.getByRole("button", { name: "All steps" }).click();
      await pointOf(chart, 7);
    });
  });

  it("runs are chosen from the list, and stand side by side with mean and settings", async () => {
    await on("/", async (page) => {
      await page.getByLabel("invented side by side with others").check();
      await page.getByLabel("running side by side with others").check();
      await page.getByRole("link", { name: "Show 2 runs side by side" }).click();
      await page.getByRole("heading", { name: "Runs side by side" }).waitFor();
      await page.getByText(/What differs in the settings/).waitFor();
      await page.getByRole("img", { name: "Solve rate", exact: true }).waitFor();
      await page.getByLabel("group of invented").fill("together");
      await page.getByLabel("group of running").fill("together");
      await page.getByText("2 runs in 1 group", { exact: false }).waitFor();
      await page.getByRole("button", { name: "Take running away" }).click();
      await page.getByText("1 run in 1 group", { exact: false }).waitFor();
    });
  });

  it("a trace is bookmarked, tagged and noted with the keyboard, found by it, and taken home", async () => {
    await on("/runs/many/traces/~./1", async (page) => {
      await page.getByRole("button", { name: "Bookmark" }).waitFor();
      await page.keyboard.press("b");
      await page.getByText("kept in many/trace-notes.jsonl").waitFor();
      await page.getByLabel("tags, with commas").fill("<b>loop</b>, check");
      await page.getByLabel("tags, with commas").press("Enter");
      await page.keyboard.press("Escape");
      await page.keyboard.press("w");
      await page.keyboard.type("why does it turn back?");
      await page.keyboard.press("Escape");
      const file = join(pages.home, "runs", "many", "trace-notes.jsonl");
      await expect
        .poll(async () => JSON.parse(await readFile(file, "utf8")))
        .toMatchObject({ tags: ["<b>loop</b>", "check"], bookmarked: true, text: "why does it turn back?" });
      await page.goto(`${pages.server.url}/runs/many/rollouts`);
      await page.getByLabel("<b>loop</b>").check();
      await page.locator(".count b").getByText("1", { exact: true }).waitFor();
      await page.locator(".rows .tag").getByText("<b>loop</b>").waitFor();
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download as JSON lines" }).click();
      const taken = await readFile(await (await downloading).path(), "utf8");
      expect(JSON.parse(taken)).toMatchObject({ note: "why does it turn back?", bookmarked: true });
      await page.keyboard.press("x");
      await page.locator(".count b").getByText(/^4/).waitFor();
      await page.locator(".rollout-head").getByRole("button", { name: "tokens" }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("tokens");
    });
  });

  it("thousands of rollouts: few rows on the page, keys walk through them, Back returns to the place", async () => {
    await on("/runs/many/rollouts", async (page) => {
      const count = page.locator(".count");
      await count.getByText("of 4,000 rollouts").waitFor();
      const rows = page.locator(".rows li");
      expect(await rows.count()).toBeLessThan(80);
      await page.keyboard.press("End");
      const last = page.locator(`[aria-posinset="${manyRollouts}"]`);
      await last.getByRole("link").waitFor();
      await page.keyboard.press("k");
      const focused = page.locator(`.selected[aria-posinset="${manyRollouts - 1}"] a:focus`);
      await focused.waitFor();
      // A run that changes meanwhile is read again, and nobody loses the place.
      const again = page.waitForResponse((response) => response.url().includes("/api/rollouts?"));
      await appendFile(join(pages.home, "runs", "many", "trace-notes.jsonl"), "\n");
      await again;
      await focused.waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Text of the trace" }).waitFor();
      await page.goBack();
      await page.locator(`.selected[aria-posinset="${manyRollouts - 1}"] a`).waitFor();
      expect(page.url()).toContain(`at=${manyRollouts - 2}`);
    });
  });

  it.each([
    ["motif=XYZ", 'motif: unknown primitive "XYZ"; expected primitives joined by'],
    ["motif=compute%20chek", 'motif: unknown primitive "compute chek"'],
    ["minTokens=many", "minTokens: expected a whole number"],
    ["category=none", 'category: unknown category "none"; expected one of:'],
  ])("a filter that means nothing (%s) is said, and nothing is listed for it", async (filter, words) => {
    const { page, complaints } = pages.plain;
    complaints.length = 0;
    await page.goto(`${pages.server.url}/runs/many/rollouts?${filter}`);
    await page.getByRole("alert").getByText(words).waitFor();
    expect(await page.locator(".rows li").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Download as JSON lines" }).count()).toBe(0);
    await page.getByRole("button", { name: "Clear the filters" }).first().click();
    await page.locator(".count b").getByText(/^4/).waitFor();
    // The browser writes every refused question down.
    expect(complaints.filter((complaint) => complaint.startsWith("uncaught"))).toEqual([]);
  });

  it("rollouts are searched and filtered, and the address says how", async () => {
    await on("/runs/many/rollouts", async (page) => {
      await page.locator(".count b").getByText(/^4/).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("needle");
      await page.locator(".count b").getByText("1", { exact: true }).waitFor();
      await page.locator(".excerpt mark").getByText("needle").waitFor();
      expect(page.url()).toContain("text=needle");
      await page.keyboard.press("Escape");
      await page.keyboard.press("x");
      await page.getByLabel("wrong").check();
      await page.getByRole("button", { name: /^backtrack.* may occur/ }).click();
      await page.getByRole("button", { name: /^plan.* may occur/ }).click();
      await page.getByRole("button", { name: /^plan.* must occur/ }).click();
      const answered = page.waitForResponse((response) => response.url().includes("motif=hypothesize"));
      await page.getByLabel("motif").fill("hypothesize compute");
      await answered;
      await page.locator(".virtual:not(.stale)").waitFor();
      const query = new URL(page.url()).searchParams;
      expect([query.get("verdict"), query.get("primitive"), query.get("without")]).toEqual([
        "wrong",
        "backtrack",
        "plan",
      ]);
      const matching = Number((await page.locator(".count b").textContent())?.replace(/\D/g, ""));
      expect(matching).toBeLessThan(manyRollouts / 2);
      await page.reload();
      await expect
        .poll(async () => Number((await page.locator(".count b").textContent())?.replace(/\D/g, "")))
        .toBe(matching);
    });
  });

  it("a very long trace opens whole, and its strip moves the text", async () => {
    await on("/runs/many/traces/~./0", async (page) => {
      const text = page.getByRole("region", { name: "Text of the trace" });
      await text.waitFor();
      // A screenful is drawn at once, the rest right after.
      await expect.poll(() => page.locator(".block:not(.unlabeled)").count()).toBe(longTraceSpans);
      const strip = page.getByRole("slider");
      const top = () => text.evaluate((element) => element.scrollTop);
      await strip.press("End");
      await expect.poll(top).toBeGreaterThan(longTraceSpans * 15);
      await expect.poll(() => strip.getAttribute("aria-valuenow")).toBe(String(longTraceSpans));
      await strip.click({ position: { x: 2, y: 10 } });
      await expect.poll(top).toBeLessThan(500);
      await page.keyboard.press("r");
      await expect
        .poll(async () => (await strip.getAttribute("aria-valuetext")) ?? "")
        .toMatch(/hypothesize|backtrack/);
    });
  });

  it("a trace shows its board with wrong cells, what the verifier says, and the reward by part", async () => {
    await on("/runs/boards/traces/~./1", async (page) => {
      const aside = page.getByRole("complementary", { name: "About this trace" });
      await aside.getByText("but the answer has").waitFor();
      expect(await aside.locator("figure svg path[stroke-width='2']").count()).toBeGreaterThan(0);
      await aside.getByRole("row", { name: "completion 0.5" }).waitFor();
      await aside.getByRole("link", { name: "Play this board" }).click();
      // Beside it is what the models did.
      await page.getByRole("region", { name: "What the models did on this board" }).getByText("#1").first().waitFor();
      await page.getByRole("heading", { name: "Puzzles" }).waitFor();
      expect(new URL(page.url()).searchParams.get("id")).toBe(patternId);
    });
  });

  it("compared traces scroll together, span by span", async () => {
    const path = views["compare a problem"][0];
    await on(path, async (page) => {
      await page.setViewportSize({ width: 1280, height: 560 });
      const [first, second] = ["first", "second"].map((side) =>
        page.getByRole("region", { name: `Text of the ${side} trace` }),
      );
      await Promise.all([first.waitFor(), second.waitFor()]);
      await first.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(() => second.evaluate((element) => element.scrollTop)).toBeGreaterThan(80);
      await page.getByLabel("scroll together").uncheck();
      const before = await second.evaluate((element) => element.scrollTop);
      await first.evaluate((element) => element.scrollTo(0, 0));
      await page.getByRole("slider").first().press("End");
      expect(await second.evaluate((element) => element.scrollTop)).toBe(before);
    });
  });

  it("a problem that nobody was asked is said to be one, and offers nothing to compare", async () => {
    await on("/runs/invented/problems/nosuch", async (page) => {
      await page.getByText("No problem of this run has this id").waitFor();
      expect(await page.getByRole("link", { name: "Compare two checkpoints" }).count()).toBe(0);
    });
  });

  it("training and evaluation of one checkpoint have two names beside each other", async () => {
    await on(
      `/runs/invented/compare?problem=sum-3&first=vanilla&second=${part("evaluations/vanilla")}`,
      async (page) => {
        await page.getByRole("region", { name: "First: Vanilla GSPO, training" }).waitFor();
        await page.getByRole("region", { name: "Second: Vanilla GSPO", exact: true }).waitFor();
      },
    );
  });

  it("problems are filtered by what was gained", async () => {
    await on("/runs/invented/problems", async (page) => {
      await page.getByLabel("show").selectOption("gained");
      await expect.poll(() => page.url()).toContain("change=gained");
      const changes = await page.locator("tbody td:last-child").allInnerTexts();
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.every((change) => change.startsWith("+"))).toBe(true);
    });
  });

  it.each([
    ["/runs/invented", "table tbody tr td:nth-child(2)", "held-out puzzles @1"],
    ["/runs/invented/problems", "table tbody tr td:nth-child(3)", "Base"],
  ])("%s: a click on a head sorts, another turns it around, a third undoes it", async (path, cells, head) => {
    await on(path, async (page) => {
      const table = page
        .locator("table:has(thead button.sort)", { has: page.locator(`th:has-text("${head}")`) })
        .first();
      await table.waitFor();
      await settled(page);
      const button = table.getByRole("columnheader").filter({ hasText: head }).last().getByRole("button");
      const own = table.locator(cells.replace(/^\S+ /, ""));
      const given = await own.allInnerTexts();
      await button.click();
      await table.locator("th[aria-sort=descending]").waitFor();
      const falling = (await own.allInnerTexts()).map((text) => Number.parseFloat(text)).filter(Number.isFinite);
      expect(falling).toEqual([...falling].sort((a, b) => b - a));
      await button.click();
      await table.locator("th[aria-sort=ascending]").waitFor();
      await button.click();
      await expect.poll(() => table.locator("th[aria-sort]").count()).toBe(0);
      expect(await own.allInnerTexts()).toEqual(given);
    });
  });

  it.each([
    ["/", ".runs h2 a", "Runs"],
    ["/runs/invented/compare", ".pairs button", "Compare"],
    [`/side-by-side?runs=${part("invented,boards")}`, ".chosen-runs tbody th a", "Runs side by side"],
  ])("%s: j and k go from one to the next, Enter opens it", async (path, links, heading) => {
    await on(path, async (page) => {
      const [first, second] = [page.locator(links).first(), page.locator(links).nth(1)];
      await second.waitFor();
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      const focused = (link: typeof first) =>
        link.evaluate((element) => element === element.ownerDocument.activeElement);
      await page.keyboard.press("j");
      expect(await focused(first)).toBe(true);
      await page.keyboard.press("j");
      expect(await focused(second)).toBe(true);
      await page.keyboard.press("k");
      expect(await focused(first)).toBe(true);
      const before = page.url();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).not.toBe(before);
      await settled(page);
    });
  });

  // One whose cells are filled and one whose regions are painted; that every puzzle can be played is tested without a browser.
  it.each([pattern, galaxies].map(({ name, example }) => [name, example]))(
    "%s is played: a key fills, hints solve it, the verifier says so",
    async (puzzle, id) => {
      await on(`/puzzles?puzzle=${puzzle}&id=${part(id)}`, async (page) => {
        const said = page.locator(".judgment");
        await said.getByText("Handed in now").waitFor();
        const answer = page.getByLabel("Answer text");
        const before = await answer.inputValue();
        await page.getByRole("gridcell").nth(1).click();
        await page.getByText("One solution").waitFor();
        const hint = page.getByRole("button", { name: "Hint" });
        for (let i = 0; i < 40 && (await hint.isEnabled()); i++) await hint.click();
        await said.getByText("every rule is kept").waitFor();
        const solution = await answer.inputValue();
        expect(solution).not.toBe(before);
        await page.getByRole("button", { name: "Clear" }).click();
        await answer.fill(solution);
        await said.getByText("every rule is kept").waitFor();
        await answer.fill("no board");
        await page.getByText("Cannot be read").waitFor();
      });
    },
  );

  it("a board is made in the page, and a pasted id finds its puzzle", async () => {
    await on("/puzzles?puzzle=pattern&size=5x5&seed=3", async (page) => {
      await page.getByRole("grid").waitFor();
      const id = page.locator(".game-side .id");
      const made = await id.textContent();
      await page.getByRole("button", { name: "Another board" }).click();
      await expect.poll(() => id.textContent()).not.toBe(made);
      await page.getByLabel("or an id").fill("3x3:2,2,2,aRbLcL,1,0,2,1,2,1,2,2,1,1,1,1");
      await page.getByRole("button", { name: "Undead", pressed: true }).waitFor();
      await page.getByLabel("or an id").fill("nonsense");
      await page.getByRole("alert").getByText("no puzzle").waitFor();
    });
  });

  it("hostile names and texts are shown as text", async () => {
    const run = part(hostileName);
    for (const path of [
      "/",
      `/runs/${run}`,
      `/runs/${run}/problems`,
      `/runs/${run}/problems/~${part(hostileProblem)}`,
      `/runs/${run}/rollouts`,
      `/runs/${run}/traces/~./0`,
      `/side-by-side?runs=${run},boards`,
    ]) {
      await on(path, async (page) => {
        await settled(page);
        await page
          .getByText(path === "/" || path.startsWith("/side") ? hostileName : /<script>|passwd/)
          .filter({ visible: true })
          .first()
          .waitFor();
        expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
        expect(await page.locator("main b[onclick], main img, main script").count()).toBe(0);
      });
    }
    await on(`/runs/${run}/traces/~./0`, async (page) => {
      await page.getByText("‹U+202E› reversed ‹U+0000› and ‹U+001B›[31m red.").waitFor();
    });
  });

  it("the keyboard goes everywhere: help, places, past the header", async () => {
    await on("/runs/invented", async (page) => {
      await page.getByRole("heading", { name: "What is solved" }).waitFor();
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "To the contents" }).press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("backtrack", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("g");
      await page.keyboard.press("p");
      await page.getByRole("link", { name: "bridges 5x5:invented-1" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "bridges 5x5:invented-1" }).waitFor();
    });
  });

  it("the theme is chosen and kept", async () => {
    await on("/puzzles", async (page) => {
      const surface = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      const light = await surface();
      await page.getByRole("button", { name: /^Theme: system/ }).click();
      await page.getByRole("button", { name: /^Theme: light/ }).click();
      expect(await surface()).not.toBe(light);
      await page.reload();
      await page.getByRole("button", { name: /^Theme: dark/ }).click();
      expect(await surface()).toBe(light);
    });
  });
});
