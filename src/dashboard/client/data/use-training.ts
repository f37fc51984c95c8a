// The curves of training stages, kept growing: after the first reply only later points are asked for.
import { useEffect, useRef, useState } from "react";
import type { TrainingReply } from "../../api.ts";
import { useLive } from "./live.ts";
import { ask, failureOf } from "./source.ts";
import { lastStep, merged } from "./training-points.ts";

type Training = { readonly reply?: TrainingReply; readonly failure?: string };

export function useTraining(run: string, stages: readonly string[]): ReadonlyMap<string, Training> {
  const [known, setKnown] = useState<ReadonlyMap<string, Training>>(new Map());
  const latest = useRef(known);
  latest.current = known;
  const busy = useRef(new Map<string, "asking" | "again">());
  const names = stages.join("\n");

  const refresh = useRef(async (_stage: string, _whole: boolean) => {});
  refresh.current = async (stage, whole) => {
    if (busy.current.has(stage)) {
      busy.current.set(stage, "again");
      return;
    }
    busy.current.set(stage, "asking");
    try {
      const before = whole ? undefined : latest.current.get(stage)?.reply;
      const newer = await ask("training", { run, stage, after: lastStep(before) });
      setKnown((all) => new Map(all).set(stage, { reply: merged(whole ? undefined : all.get(stage)?.reply, newer) }));
    } catch (error) {
      setKnown((all) => new Map(all).set(stage, { ...all.get(stage), failure: failureOf(error).message }));
    }
    const asked = busy.current.get(stage);
    busy.current.delete(stage);
    if (asked === "again") refresh.current(stage, false);
  };

  useEffect(() => {
    for (const stage of names.split("\n").filter((name) => name !== "")) refresh.current(stage, true);
  }, [names]);
  useLive((event) => {
    // Before a connection anything may have happened, even a run begun anew.
    if (event.type === "connected") for (const stage of stages) refresh.current(stage, true);
    if (event.type !== "changed" || event.run !== run) return;
    for (const stage of event.stages) if (stages.includes(stage)) refresh.current(stage, false);
  });
  return known;
}
