// Every page with labels that are not the paper's, and a run of the real world with its analysis, in a real browser.
import { join } from "node:path";
import { expect, it } from "vitest";
import { primitives } from "../../src/rollouts/primitives.ts";
import { analyzeRun } from "../../src/traces/run-analysis.ts";
import { writeEnglishRun } from "../fixtures/english-run.ts";
import { fiveLabels } from "../fixtures/five-labels.ts";
import { hostileWords, writeFiveLabelRuns } from "./five-label-runs.ts";
import { pageSuite, settled } from "./page-suite.ts";

const part = encodeURIComponent;
const own = fiveLabels.labels.map(({ name }) => name);
const paperOnly = primitives.filter((name) => !own.includes(name));

const views = {
  "a run": ["/runs/five", "five"],
  rollouts: ["/runs/five/rollouts?primitive=doubt&motif=WD", "Rollouts"],
  "a trace": [`/runs/five/traces/${part("evaluations/sft")}/1`, "rows/0"],
  compare: ["/runs/five/compare", "Compare"],
  "somebody's dump": ["/runs/dump", "dump"],
  "its rollouts": ["/runs/dump/rollouts", "Rollouts"],
  "a run of the real world": ["/runs/english", "english"],
  "its comparison": [
    `/runs/english/compare?first=${part("evaluations/sft")}&second=${part("evaluations/vanilla")}&set=${part("all mathematics")}`,
    "Compare",
  ],
} as const;

const write = async (runs: string) => {
  await writeEnglishRun(join(runs, "english"));
  const analysis = { replicates: 20, motifsPerLength: 5 };
  await analyzeRun(join(runs, "english"), { analysis, workers: 1 });
  await writeFiveLabelRuns(runs);
};

pageSuite("labels in a browser", { write, complete: ["five", "dump", "english"], views }, (pages) => {
  const { on } = pages;

  it("no page of theirs names a primitive of the paper", async () => {
    for (const path of ["/runs/five/rollouts", `/runs/five/traces/${part("evaluations/sft")}/1`, "/runs/dump"]) {
      await on(path, async (page) => {
        await page.locator("main h1").first().waitFor();
        await settled(page);
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("doubts what it did").waitFor();
        // The name of a measure, whatever its taxonomy exploits.
        const text = ((await page.locator("body").textContent()) ?? "")
          .toLowerCase()
          .replaceAll("chain depth without setup", "");
        for (const name of paperOnly.filter((name) => name !== "other" && name !== "plan" && name !== "check"))
          expect(text, `${path}: ${name}`).not.toContain(name);
      });
    }
  });

  it("from a motif to the spans that show it", async () => {
    await on("/runs/five", async (page) => {
      await page.getByText("What traces are made of").click();
      const motif = page.locator("#item-motifs tbody th a").first();
      const labels = ((await motif.textContent()) ?? "").split("→");
      await motif.click();
      await page.locator(".rollout-row").first().click();
      await page.locator(".block.marked").first().waitFor();
      const marked = await page
        .locator(".block.marked")
        .evaluateAll((blocks) => blocks.slice(0, 3).map((block) => block.getAttribute("data-label")?.replace("?", "")));
      expect(marked).toEqual(labels);
    });
  });

  it("letters, colors and the legend are the taxonomy's, light and dark", async () => {
    await on("/runs/five/rollouts", async (page) => {
      const mark = page.locator(".primitive-filter .mark").nth(own.indexOf("doubt"));
      await mark.getByText("D", { exact: true }).waitFor();
      const color = () =>
        mark.evaluate((element) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(of: unknown): { readonly backgroundColor: string };
          };
          return getComputedStyle(element).backgroundColor;
        });
      const rgb = (hex: string) =>
        `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;
      const { light, dark } = fiveLabels.labels[own.indexOf("doubt")].color;
      await expect.poll(color).toBe(rgb(light));
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await color()).toBe(rgb(dark));
      await page.emulateMedia({ colorScheme: "light" });
      // And the paper's again on a run that has them.
      await page.goto(new URL("/runs/english/rollouts", pages.server.url).href);
      await page.locator(".primitive-filter .mark").getByText("K", { exact: true }).waitFor();
      expect(await page.locator(".primitive-filter .mark").count()).toBe(9);
    });
  });

  it("rollouts are filtered by its labels, its motifs and its categories", async () => {
    await on("/runs/five/rollouts", async (page) => {
      const count = async () => Number((await page.locator(".count b").textContent())?.replace(/\D/g, ""));
      await expect.poll(count).toBe(40);
      await page.getByRole("button", { name: /^doubt.* may occur/ }).click();
      await expect.poll(count).toBeLessThan(21);
      const doubting = await count();
      await page.getByLabel("motif").fill("work doubt");
      await expect.poll(count).toBe(doubting);
      await page.getByLabel("motif").fill("DD");
      await expect.poll(count).toBe(0);
      await page.keyboard.press("Escape");
      await page.getByLabel("motif").fill("");
      await page.getByLabel("category").selectOption("recovery trigrams");
      await expect.poll(count).toBe(doubting);
    });
  });

  it("the keyboard goes to its moves of recovery", async () => {
    await on("/runs/five/rollouts?primitive=doubt", async (page) => {
      await page.locator(".rollout-row").first().click();
      await page.getByRole("region", { name: "Text of the trace" }).waitFor();
      await page.keyboard.press("r");
      const strip = page.getByRole("slider");
      await expect.poll(async () => (await strip.getAttribute("aria-valuetext")) ?? "").toContain("doubt");
      await page.getByRole("complementary", { name: "About this trace" }).getByText("Labels by five").waitFor();
    });
  });

  it("somebody's dump has its monitor over steps, its prompts, scores and steps", async () => {
    await on("/runs/dump", async (page) => {
      await page
        .getByRole("list", { name: "Alarms" })
        .getByText(/doubt fell to/)
        .waitFor();
      await page.goto(new URL("/runs/dump/rollouts", pages.server.url).href);
      await page.locator(".rollout-row").first().click();
      const about = page.getByRole("complementary", { name: "About this trace" });
      await about.getByText("0.25").waitFor();
      await about.getByText("How many cells of row").waitFor();
    });
  });

  it("a run says what it shows of the paper, and two checkpoints are compared in words, set by set", async () => {
    await on("/runs/english", async (page) => {
      const claims = page.getByRole("article", { name: "What this shows of the paper" });
      await claims.getByText(/\d+ shown, \d+ not shown/).waitFor();
      await claims.getByRole("button", { name: /^All \d+/ }).click();
      await claims
        .getByRole("row", { name: /shown vanilla GSPO suppresses backtrack/ })
        .first()
        .waitFor();
      await claims.getByRole("columnheader", { name: "verdict" }).getByRole("button").click();
      await claims.locator("th[aria-sort]").waitFor();
      await page.goto(new URL(views["its comparison"][0], pages.server.url).href);
      const changed = page.getByRole("region", { name: "What changed" });
      await changed.getByText("Which moves became more and fewer: SFT → Vanilla GSPO").waitFor();
      await changed.getByLabel("on").selectOption("aime-2025");
      await changed.getByText("n: 8 problems").waitFor();
    });
  });

  it("a checkpoint has one color on every page", async () => {
    const colors = new Set<string>();
    for (const path of ["/runs/english", "/runs/english/problems", "/runs/english/rollouts"]) {
      await on(path, async (page) => {
        const name = page.locator(".checkpoint", { hasText: /^Vanilla GSPO$/ }).first();
        await name.waitFor();
        await expect.poll(() => name.getAttribute("class")).toContain("ink-at-vanilla");
        colors.add((await name.getAttribute("class"))!);
      });
    }
    expect(colors.size).toBe(1);
  });

  it("hostile names in an analysis are shown as text", async () => {
    const run = part("hostile/analysis");
    // A part's folder is named after its model, without what means something to a file system or a page.
    const named = hostileWords.replace(/[^\w.=@+-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
    const pages = ["", "/problems", "/rollouts", "/compare", `/traces/${part(`evaluations/${named}`)}/0`];
    for (const page of pages) {
      await on(`/runs/${run}${page}`, async (shown) => {
        await shown.locator("main h1").first().waitFor();
        await settled(shown);
        await shown.getByText("<script>").filter({ visible: true }).first().waitFor();
        expect(await shown.evaluate("globalThis.hacked")).toBeUndefined();
        expect(await shown.locator("main img, main script").count()).toBe(0);
      });
    }
  });
});
