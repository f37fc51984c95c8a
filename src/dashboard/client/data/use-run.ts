// What a run holds, and how far the server has read it. A server that was just started still reads: what it cannot find
// yet is asked for again as it goes on.
import { useEffect, useState } from "react";
import type { RunReply } from "../../api.ts";
import { useLiveCount } from "./live.ts";
import { useReply } from "./use-reply.ts";

export type KnownRun = {
  readonly about?: RunReply;
  /** Goes up as more of the run is read or written. */
  readonly version: number;
  /** Whether rollouts may be missing only because they are not read yet. */
  readonly reading: boolean;
};

/** How often to look again, and how many times, should the server's own word not come through. */
const pause = 2000;
const patience = 60;

export function useRun(run: string): KnownRun {
  const told = useLiveCount((event) => event.type !== "runs" && event.run === run, 1500);
  const [looked, setLooked] = useState(0);
  const version = told + looked;
  const about = useReply("run", { run }, { version }).reply;
  const reading =
    about === undefined || about.sources.some(({ indexed, rollouts }) => indexed < rollouts || rollouts === 0);
  useEffect(() => {
    if (!reading || looked >= patience) return;
    const timer = setTimeout(() => setLooked((before) => before + 1), pause);
    return () => clearTimeout(timer);
  }, [reading, looked]);
  return { about, version, reading };
}
