// Progress of a recipe: a bar for the stage at work where a person is watching, and a line for what a stage found out.
import pc from "picocolors";
import type { TeachingEvent } from "../recipes/teaching-stage.ts";
import { stopOnInterrupt, stoppedExitCode } from "./interruption.ts";
import { type Progress, progressBar, warn } from "./progress.ts";

type Emit = (event: TeachingEvent) => void;

/** Runs stages under their bars. Ctrl-C stops them where the same command resumes, and is no error: there is no result then. */
export async function watched<T>(work: (emit: Emit, signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const bars = stageBars();
  const { signal, release } = stopOnInterrupt(() => console.error("\nstopping; run the same command again to resume"));
  try {
    return await work(bars.emit, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = stoppedExitCode();
    return undefined;
  } finally {
    bars.stop();
    release();
  }
}

function stageBars(): { readonly emit: Emit; readonly stop: () => void } {
  let bar: Progress | undefined;
  let shown = 0;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  const advanceTo = (done: number) => {
    bar?.advance(done - shown);
    shown = done;
  };
  const titles = new Map<string, string>();
  /** What a stage was warned of: a warning that comes with every step is read once. */
  const warned = new Set<string>();
  let began = performance.now();
  return {
    stop,
    emit: (event) => {
      switch (event.type) {
        case "stage":
          stop();
          titles.set(event.stage, event.title);
          began = performance.now();
          shown = event.done;
          if (event.done < event.total) bar = progressBar(event.title.padEnd(28), event.total, event.done);
          break;
        case "progress":
          advanceTo(event.done);
          break;
        case "rollouts":
          bar?.note(event.done < event.total ? `${event.done} of ${event.total} rollouts of this step` : "");
          break;
        case "corpus": {
          const { kept, ...rejected } = event.counts;
          const reasons = Object.entries(rejected).filter(([, count]) => count > 0);
          stop();
          console.error(
            pc.dim(
              `  kept ${kept} traces; rejected: ${reasons.map(([why, count]) => `${count} ${why}`).join(", ") || "none"}`,
            ),
          );
          break;
        }
        case "seen-in-sft":
          console.error(pc.dim(`  ${event.problems} of RL's ${event.of} problems were also in SFT`));
          break;
        case "loop-event":
          if (event.event.type === "rl-step")
            for (const warning of event.event.warnings) {
              const kind = `${event.stage} ${warning.split(":")[0]}`;
              if (!warned.has(kind)) warn(`  step ${event.event.step}: ${warning}`);
              warned.add(kind);
            }
          break;
        case "recovered":
          warn(`  ${event.because}; resuming from ${event.resumesFrom}`);
          break;
        case "damage-accepted":
          warn(`  ${event.file} is damaged: ${event.problem}; continuing with what is there`);
          break;
        case "finished": {
          stop();
          const seconds = Math.round((performance.now() - began) / 1000);
          console.error(
            `${pc.green("✓")} ${titles.get(event.stage)} ${pc.dim(event.already ? "(already done)" : `${seconds} s`)}`,
          );
        }
      }
    },
  };
}
