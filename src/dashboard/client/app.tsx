// The frame around every view: where one is, where one can go, the theme, the keys; and which view an address means.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { oneLine } from "../../drawing/safe-text.ts";
import { inPage } from "./data/labs.ts";
import { useConnection } from "./data/live.ts";
import { ShownRunProvider, useRun } from "./data/shown-run.tsx";
import { Help } from "./help.tsx";
import { useKeys } from "./keys.ts";
import { Labeled } from "./labels.tsx";
import { goTo, Link, useAddress } from "./navigation.tsx";
import { ComparePage } from "./pages/compare.tsx";
import { ProblemPage } from "./pages/problem.tsx";
import { ProblemsPage } from "./pages/problems.tsx";
import { PuzzlesPage } from "./pages/puzzles.tsx";
import { RolloutsPage } from "./pages/rollouts.tsx";
import { RunPage } from "./pages/run.tsx";
import { RunsPage } from "./pages/runs.tsx";
import { RunsSideBySidePage } from "./pages/runs-side-by-side.tsx";
import { StartPage } from "./pages/start.tsx";
import { TracePage } from "./pages/trace.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { Name } from "./parts/marks.tsx";
import { addressOf } from "./routes.ts";
import { type Theme, themes, useTheme } from "./theme.ts";

type View = { readonly title: string; readonly tab?: string; readonly body: ReactNode };

function viewOf(path: readonly string[]): View {
  const [first, run, page, ...rest] = path;
  if (first === undefined)
    return inPage ? { title: "Drop rollouts", body: <StartPage /> } : { title: "Runs", body: <RunsPage /> };
  if (first === "side-by-side" && path.length === 1 && !inPage)
    return { title: "Runs side by side", body: <RunsSideBySidePage /> };
  if (first === "puzzles" && path.length === 1) return { title: "Puzzles", body: <PuzzlesPage /> };
  if (first === "runs" && run !== undefined) {
    const named = (title: string, tab: string, body: ReactNode): View => ({ title: `${title} · ${run}`, tab, body });
    if (page === undefined) return { title: run, tab: "run", body: <RunPage key={run} /> };
    if (page === "problems" && rest.length === 0) return named("Problems", "problems", <ProblemsPage />);
    if (page === "problems" && rest.length === 1) return named(rest[0], "problems", <ProblemPage problem={rest[0]} />);
    if (page === "rollouts" && rest.length === 0) return named("Rollouts", "rollouts", <RolloutsPage />);
    if (page === "traces" && rest.length === 2 && /^\d+$/.test(rest[1]))
      return named("Trace", "rollouts", <TracePage source={rest[0]} row={Number(rest[1])} />);
    if (page === "compare" && rest.length === 0) return named("Compare", "compare", <ComparePage />);
  }
  return {
    title: "No such view",
    body: (
      <div className="page">
        <h1>There is no view at this address</h1>
        <p>
          <Link to={addressOf.runs()}>All runs</Link>
        </p>
      </div>
    ),
  };
}

const tabs = [
  { id: "run", name: "Run", key: "o", to: addressOf.run },
  { id: "problems", name: "Problems", key: "p", to: (run: string) => addressOf.problems(run) },
  { id: "rollouts", name: "Rollouts", key: "l", to: (run: string) => addressOf.rollouts(run) },
  { id: "compare", name: "Compare", key: "c", to: (run: string) => addressOf.compare(run) },
] as const;

export function App() {
  const { path } = useAddress();
  const { title, tab, body } = viewOf(path);
  const run = path[0] === "runs" ? path[1] : undefined;
  const [helpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const view = path.slice(0, 3).join("/");
  const before = useRef(view);

  useEffect(() => {
    document.title = `${oneLine(title)} · Repertoire`;
  }, [title]);
  // Another view starts at its top, and whoever listens to the page hears its heading next.
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [view]);

  useSequences(run);
  useKeys("Everywhere", [
    { keys: ["?"], about: "these keys", run: () => setHelpOpen(true) },
    {
      keys: ["g"],
      about: "then r runs, s runs side by side, o run, p problems, l rollouts, c compare, z puzzles",
      run: () => undefined,
    },
  ]);

  const asked = useRun(run);
  const about = asked?.asked.reply;
  return (
    <Labeled taxonomy={about?.taxonomy}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        To the contents
      </button>
      <header className="row top">
        <Link to={addressOf.runs()} className="inline brand" aria-label="Repertoire: all runs">
          <span className="brand-strip" aria-hidden="true" />
          Repertoire
        </Link>
        {run !== undefined && (
          <nav className="crumbs" aria-label="This run">
            <span className="run-name">
              {/* A run that is served by itself is called by its folder, not by the dot that is its path. */}
              <Name>{run === "." ? (about?.run.name ?? "…") : run}</Name>
            </span>
            <ul className="tabs">
              {tabs.map(({ id, name, to }) => (
                <li key={id}>
                  <Link to={to(run)} aria-current={tab === id ? "page" : undefined}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <nav className="places" aria-label="Everything">
          <Link to={addressOf.runs()} aria-current={path.length === 0 ? "page" : undefined}>
            Runs
          </Link>
          <Link to={addressOf.puzzles()} aria-current={path[0] === "puzzles" ? "page" : undefined}>
            Puzzles
          </Link>
        </nav>
        <ThemeSwitch />
        <button type="button" className="plain" onClick={() => setHelpOpen(true)} aria-label="Keys">
          ?
        </button>
      </header>
      <ConnectionNotice />
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={path.join("/")}>
          {asked === undefined ? body : <ShownRunProvider of={asked}>{body}</ShownRunProvider>}
        </ErrorBoundary>
      </main>
      <Help open={helpOpen} onClose={() => setHelpOpen(false)} />
    </Labeled>
  );
}

/** `g` and then a letter, within a second and a half. */
function useSequences(run: string | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    let since = 0;
    const listen = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "g") {
        since = event.timeStamp;
        return;
      }
      if (since === 0 || event.timeStamp - since > 1500) return;
      since = 0;
      const global: Record<string, string> = {
        r: addressOf.runs(),
        s: addressOf.sideBySide(),
        z: addressOf.puzzles(),
      };
      const own =
        latest.current === undefined ? undefined : tabs.find(({ key }) => key === event.key)?.to(latest.current);
      const to = own ?? global[event.key];
      if (to === undefined) return;
      event.preventDefault();
      goTo(to);
    };
    // Before the view's own keys see it: after `g`, a letter means a place.
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, []);
}

const themeSigns: Readonly<Record<Theme, string>> = { system: "◐", light: "○", dark: "●" };

function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length];
  return (
    <button
      type="button"
      className="plain"
      onClick={() => choose(next)}
      aria-label={`Theme: ${theme}; change to ${next}`}
      title={`Theme: ${theme}`}
    >
      {themeSigns[theme]}
    </button>
  );
}

function ConnectionNotice() {
  const connection = useConnection();
  if (inPage) return null;
  if (connection === "open") return null;
  return (
    <aside className="ribbon" aria-label="Notice">
      <span role="status">
        The server is gone; what is shown may be old. Start it again with <code>repertoire dashboard</code>, this page
        reconnects by itself.
      </span>
    </aside>
  );
}
