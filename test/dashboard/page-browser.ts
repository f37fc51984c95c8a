// One real browser for the tests of pages, and what must hold on every page it opens: no error on the console, nothing
// refused by the content policy, nothing that hinders a reader.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const places = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser that is installed, if one is. */
export const browserPath = places.find((place) => place !== undefined && existsSync(place));
export const howToGetOne = "no Chromium found; install it (apt install chromium) or name one in CHROMIUM";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

export type Watched = {
  readonly page: Page;
  /** What the browser complained about so far. */
  readonly complaints: string[];
};

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Pages that are to be looked at by axe carry it from the start. */
export async function newContext(browser: Browser, axe: "with axe" | "plain"): Promise<BrowserContext> {
  const viewport = { width: 1280, height: 860 };
  const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "reduce" });
  context.setDefaultTimeout(180_000);
  if (axe === "plain") return context;
  // An init script is the browser's own business: the page's policy, which is under test, stays in force.
  await context.addInitScript({ path: axePath });
  return context;
}

export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // Leaving a view takes back its questions.
    if (!why.includes("ERR_ABORTED")) complaints.push(`${request.url()}: ${why}`);
  });
  return { page, complaints };
}

type Axe = {
  run(options: unknown): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
};

/** What axe finds wrong with the page as it stands: by all its rules, or by some. */
export async function hindrances(page: Page, rules?: readonly string[]): Promise<string[]> {
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      // Style sheets are read as the page has them; a page from disk could not fetch them again.
      preload: false,
      ...(rules && { runOnly: rules }),
    });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, rules);
  return violations.map((violation) => violation.slice(0, 600));
}

/** Themes differ in colors alone, so the second is asked for its contrast only. */
export async function expectReadable({ page, complaints }: Watched): Promise<void> {
  expect(await hindrances(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await hindrances(page, ["color-contrast"]), `dark: ${page.url()}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(complaints, page.url()).toEqual([]);
}

type Window = { readonly innerWidth: number; readonly document: { readonly documentElement: { scrollWidth: number } } };

/** How many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { innerWidth, document } = globalThis as unknown as Window;
    return Math.max(0, document.documentElement.scrollWidth - innerWidth);
  });
