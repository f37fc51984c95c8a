// The run at hand, for everything on its pages: what it holds, how far the server has read it, and what its checkpoints are
// called and look like. A server that was just started still reads: what it cannot find yet is asked for again.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { RunReply } from "../../api.ts";
import { inksOf } from "../parts/inks.ts";
import { sourceNames } from "../parts/marks.tsx";
import { useLiveCount } from "./live.ts";
import { type Asked, useReply } from "./use-reply.ts";

export type ShownRun = {
  readonly run: string;
  readonly asked: Asked<RunReply>;
  readonly about?: RunReply;
  /** Goes up as more of the run is read or written. */
  readonly version: number;
  /** Whether rollouts may be missing only because they are not read yet. */
  readonly reading: boolean;
  /** Of a source or stage. */
  readonly inkOf: (id: string) => string;
  readonly nameOf: (id: string) => string;
};

const Shown = createContext<ShownRun | undefined>(undefined);

/** For whatever stands on pages of other kinds, too. */
export const useShownRunIfAny = (): ShownRun | undefined => useContext(Shown);
/** For pages of a run; others have none. */
export const useShownRun = (): ShownRun => useShownRunIfAny()!;

/** How often to look again, and how many times, should the server's own word not come through. */
const pause = 2000;
const patience = 60;

/** What the server said of a run, before anything is made of it. */
type AskedRun = Pick<ShownRun, "run" | "asked" | "version"> & {
  readonly looked: number;
  readonly lookAgain: () => void;
};

export function useRun(run: string | undefined): AskedRun | undefined {
  const told = useLiveCount((event) => event.type === "runs" || event.run === run, 1000);
  const [looked, setLooked] = useState(0);
  const version = told + looked;
  const asked = useReply("run", run === undefined ? undefined : { run }, { version });
  const lookAgain = useCallback(() => setLooked((before) => before + 1), []);
  return run === undefined ? undefined : { run, asked, version, looked, lookAgain };
}

/** Inside a view's error boundary: a reply that makes no sense fails the view, not the page around it. */
export function ShownRunProvider({ of, children }: { readonly of: AskedRun; readonly children: ReactNode }) {
  const { run, asked, version, looked, lookAgain } = of;
  const about = asked.reply;
  const reading =
    about === undefined || about.sources.some(({ indexed, rollouts }) => indexed < rollouts || rollouts === 0);
  useEffect(() => {
    if (!reading || looked >= patience) return;
    const timer = setTimeout(lookAgain, pause);
    return () => clearTimeout(timer);
  }, [reading, looked, lookAgain]);
  const looks = useMemo(() => {
    const inks = about && inksOf(about);
    const names = sourceNames(about?.sources ?? []);
    return { inkOf: (id: string) => inks?.get(id) ?? "muted", nameOf: (id: string) => names.get(id) ?? id };
  }, [about]);
  return (
    <Shown.Provider value={{ run, asked, version, reading, ...(about && { about }), ...looks }}>
      {children}
    </Shown.Provider>
  );
}
