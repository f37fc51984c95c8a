// The page to settle disagreements, in a real browser: on a phone in the dark, by keyboard alone, and as axe sees it.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { settlePage } from "../../src/traces/judges/settle-page.ts";
import { browserPath, howToGetOne, launchBrowser } from "../dashboard/page-browser.ts";

const spans = Array.from({ length: 3 }, (_, i) => ({
  id: `s${i}`,
  text: `Row ${i} would hold two sevens. ${"unbroken".repeat(30)}`,
  previous: i === 0 ? "" : "So row 2 is 1 4 7. ".repeat(60),
  votes: { "a@localhost:8000": "check", b: "backtrack", c: "compute" },
}));

test.skipIf(browserPath === undefined)(
  `fits a phone, is dark where asked, and is settled by keyboard; what was settled stays (${howToGetOne})`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "settle-"));
    const browser = await launchBrowser();
    try {
      const path = join(folder, "disagreements.html");
      await writeFile(path, settlePage(spans, paperTaxonomy));
      const page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
      await page.goto(pathToFileURL(path).href);
      await page.keyboard.press("ArrowRight");
      const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      expect(widths).toEqual([360, 360]);
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(22, 22, 22)");
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
      expect(await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))")).toEqual([]);

      await page.keyboard.press("6");
      await page.locator("main button").first().focus();
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("1 plan");
      await page.reload();
      expect(await page.locator("#count").textContent()).toBe("2 of 3 settled");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
      const saved = async (file: typeof download) =>
        (await readFile((await file.path())!, "utf8"))
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
      const { text, previous } = spans[1];
      const first = { span: "s1", label: "check", text, previous, confidence: "high" };
      expect(await saved(download)).toEqual([first, expect.objectContaining({ span: "s2", label: "plan" })]);

      // The page of the next run shows what is left, and saves what the first one settled, too.
      await writeFile(path, settlePage(spans.slice(0, 1), paperTaxonomy, new Map([["s1", first]])));
      await page.goto(pathToFileURL(path).href);
      // Of the browser's own keys none is a label.
      await page.keyboard.press("Control+2");
      await page.keyboard.press("1");
      expect(await page.locator("#count").textContent()).toBe("1 of 1 settled, 1 before");
      const [again] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
      expect(await saved(again)).toEqual([first, expect.objectContaining({ span: "s0", label: "plan" })]);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  },
);
