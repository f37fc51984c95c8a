// A folder of runs, served, in a browser, for the tests of one file; and what must hold of every view in it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DashboardServer } from "../../src/dashboard/server.ts";
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

export const client = resolve(import.meta.dirname, "../../dist/dashboard/client");

/** A view's address, and the heading by which it is known. */
export type Views = Readonly<Record<string, readonly [path: string, heading: string]>>;

type Act = (page: Page, watched: Watched) => Promise<void>;

export class Pages {
  home!: string;
  server!: DashboardServer;
  // A page each for all tests: starting one anew costs more than most tests.
  inspected!: Watched;
  plain!: Watched;
  #browser: Browser | undefined;

  /** A page that is opened while logs are still being read shows less: those of `complete` are read first. */
  async open(write: (runs: string) => Promise<void>, complete: readonly string[]): Promise<void> {
    this.home = await mkdtemp(join(tmpdir(), "repertoire-pages-"));
    const folder = join(this.home, "runs");
    await write(folder);
    this.server = await DashboardServer.start({ folder, client, host: "127.0.0.1", port: 0 });
    for (const run of complete) await (await this.server.library.run(run)).whenComplete();
    this.#browser = await launchBrowser();
    this.inspected = await watchedPage(await newContext(this.#browser, "with axe"));
    this.plain = await watchedPage(await newContext(this.#browser, "plain"));
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.server?.close();
    if (this.home !== undefined) await rm(this.home, { recursive: true, force: true });
  }

  /** Opens a view, hands it over, and at the end insists that nothing was complained about. */
  readonly on = async (path: string, act: Act, watched = this.plain): Promise<void> => {
    watched.complaints.length = 0;
    await watched.page.setViewportSize({ width: 1280, height: 860 });
    await watched.page.goto(new URL(path, this.server.url).href);
    await act(watched.page, watched);
    expect(watched.complaints).toEqual([]);
  };
}

export const settled = (page: Page) => expect.poll(() => page.locator(".waiting, .stale").count()).toBe(0);

/** Without a browser there is nothing to look at; the suite's name then says how to get one. */
export function pageSuite(
  name: string,
  given: {
    readonly write: (runs: string) => Promise<void>;
    readonly complete: readonly string[];
    readonly views: Views;
  },
  tests: (pages: Pages) => void,
): void {
  const suite = browserPath === undefined ? describe.skip : describe;
  suite(browserPath === undefined ? `${name} (${howToGetOne})` : name, () => {
    const pages = new Pages();
    beforeAll(() => pages.open(given.write, given.complete));
    afterAll(() => pages.close());

    it.each(Object.entries(given.views))(
      "%s: a heading, nothing that hinders in light or dark, room on a narrow screen",
      async (_, [path, heading]) => {
        await pages.on(
          path,
          async (page, watched) => {
            await page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
            await settled(page);
            expect(await page.title()).toContain("· Repertoire");
            await expectReadable(watched);
            await page.setViewportSize({ width: 390, height: 844 });
            await expect.poll(() => overflow(page)).toBe(0);
          },
          pages.inspected,
        );
      },
    );

    tests(pages);
  });
}
