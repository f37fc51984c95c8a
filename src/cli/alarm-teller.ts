// Alarms on the terminal, each once, and to a webhook: a JSON POST that Slack and its like show as text.
import pc from "picocolors";
import { withoutSecrets } from "../base/secrets.ts";
import { authorization } from "../endpoints/endpoint.ts";
import { displayName } from "../runs/recipe-names.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import { alarmsOfSeries, type SeriesAlarm } from "../traces/step-signs.ts";
import { warn } from "./progress.ts";

export const analysisAlarms = ({ training, taxonomy }: Pick<Analysis, "training" | "taxonomy">): SeriesAlarm[] =>
  training.flatMap((series) => alarmsOfSeries(series, taxonomy));

export const alarmLine = ({ series, step, words }: SeriesAlarm): string =>
  pc.red(`▲ ${series === "training" ? "" : `${displayName(series)}, `}step ${step}: ${words}`);

/** What was told once is told again only after it was gone. */
export function alarmTeller(notify?: string): (run: string, analysis: Analysis) => Promise<void> {
  let before = new Set<string>();
  return async (run, analysis) => {
    const now = new Set<string>();
    for (const alarm of analysisAlarms(analysis)) {
      const key = `${alarm.series} ${alarm.about}`;
      now.add(key);
      if (before.has(key)) continue;
      console.log(alarmLine(alarm));
      if (notify !== undefined)
        await post(notify, { run, ...alarm, text: `${run}, step ${alarm.step}: ${alarm.words}` });
    }
    before = now;
  };
}

const patienceMs = 10_000;

/** Watching goes on whatever becomes of it. Such an address is itself a secret: only its host is ever named. */
async function post(url: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const headers = { "content-type": "application/json", ...authorization({ url }, undefined) };
  const signal = AbortSignal.timeout(patienceMs);
  const address = new URL(url);
  const { host } = address;
  // They are in the header; fetch refuses them in an address.
  address.username = "";
  address.password = "";
  try {
    const { ok, status } = await fetch(address, {
      method: "POST",
      headers,
      body: withoutSecrets(JSON.stringify(body)),
      signal,
    });
    if (!ok) warn(`--notify: ${host} answered ${status}; the alarm above was not delivered`);
  } catch (error) {
    const because = error instanceof Error ? error.name : "it failed";
    warn(`--notify: ${host} could not be reached (${because}); the alarm above was not delivered`);
  }
}
