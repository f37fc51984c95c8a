// Takes the pictures of the dashboard in docs/pictures from a recipe's run, and with further runs beside it the one of runs
// side by side: npx tsx scripts/dashboard-pictures.ts runs/mini runs/mini-2 runs/mini-3
import { basename, dirname, join, resolve } from "node:path";
import type { RolloutsReply } from "../src/dashboard/api.ts";
import { DashboardServer } from "../src/dashboard/server.ts";
import { browserPath, howToGetOne, launchBrowser } from "../test/dashboard/page-browser.ts";

const [folder, ...beside] = process.argv.slice(2);
if (folder === undefined) throw new Error("name a recipe's run: npx tsx scripts/dashboard-pictures.ts runs/mini");
if (browserPath === undefined) throw new Error(howToGetOne);

const root = resolve(import.meta.dirname, "..");
const client = join(root, "dist", "dashboard", "client");
const run = basename(folder);
const others = beside.map((path) => basename(path));
const server = await DashboardServer.start({ folder: dirname(resolve(folder)), client, host: "127.0.0.1", port: 0 });
const browser = await launchBrowser();
try {
  const opened = await server.library.run(run);
  await opened.whenComplete();
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
  const picture = async (name: string, path: string, ready: string) => {
    await page.goto(server.url + path);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(root, "docs", "pictures", `dashboard-${name}.png`) });
  };
  await picture("run", `/runs/${run}`, ".conclusion");
  if (others.length > 0)
    await picture(
      "side-by-side",
      `/side-by-side?runs=${[run, ...others].map(encodeURIComponent).join(",")}`,
      ".charts svg",
    );

  // A puzzle that an evaluated policy got wrong although it tried to recover.
  const asked = `run=${run}&source=evaluations/sft&primitive=hypothesize&verdict=wrong&puzzle=undead&sort=spans&order=desc&limit=1`;
  const { rows }: RolloutsReply = await (await fetch(`${server.url}/api/rollouts?${asked}`)).json();
  if (rows.length > 0) await picture("trace", `/runs/${run}/traces/evaluations%2Fsft/${rows[0].row}`, ".reader .block");
} finally {
  await browser.close();
  await server.close();
}
