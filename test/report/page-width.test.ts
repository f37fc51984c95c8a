// The report's style sheet in a real browser, on a phone.
import { expect, it } from "vitest";
import { pageStyle } from "../../src/drawing/page-style.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { browserPath, launchBrowser } from "../dashboard/page-browser.ts";

it.skipIf(browserPath === undefined)("a problem's id without a space does not widen the page", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 375, height: 800 } });
    const caption = `Problems, from above: undead/3x3:3,3,1,bRcRb,${"2,1,".repeat(20)}2`;
    await page.setContent(
      `<style>${pageStyle(paperTaxonomy)}</style><main><figure><figcaption><p class="caption">${caption}</p></figcaption></figure></main>`,
    );
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  } finally {
    await browser.close();
  }
});
