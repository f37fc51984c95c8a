// A page to settle by hand what a jury could not: each divided span with its context and votes, a button a label, and the
// choices as a file that goes beside the votes. One file without a server, so that it can be sent to whoever decides.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { SpanVotes } from "./agreement.ts";
import { type SettledSpan, settledFile } from "./settled.ts";

/** `before` is what earlier pages settled: it is saved again with the rest, so that nobody's work is overwritten. */
export function settlePage(
  disagreements: readonly SpanVotes[],
  { labels, name }: Taxonomy,
  before: ReadonlyMap<string, SettledSpan> = new Map(),
): string {
  const shown = labels.map((label, i) => ({
    name: label.name,
    meaning: label.meaning,
    color: label.color.light,
    key: i < 9 ? String(i + 1) : label.letter.toLowerCase(),
  }));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Settle ${disagreements.length} spans</title>
<style>
  :root { color-scheme: light dark; --ink: #1a1a1a; --soft: #555; --paper: #fff; --line: #8a8a8a; }
  @media (prefers-color-scheme: dark) { :root { --ink: #eee; --soft: #b5b5b5; --paper: #161616; --line: #7d7d7d; } }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; padding: 0.75rem; border: 1px solid var(--line); border-radius: 4px; }
  .before { color: var(--soft); max-height: 9rem; overflow: auto; }
  .labels { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  button { font: inherit; padding: 0.3rem 0.7rem; border: 2px solid var(--line); border-radius: 4px; background: var(--paper); color: var(--ink); cursor: pointer; }
  button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
  footer { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
</style>
<header>
<h1>Settle what the judges could not</h1>
<p>Labels of “${escaped(name)}”. Press the key of a label, the arrow keys to go on and back. Choices stay in this browser until they are saved;
save them as <code>${settledFile}</code> beside <code>votes.jsonl</code> and run the same command again.</p>
</header>
<main aria-live="polite"></main>
<footer><button id="save">Save ${settledFile}</button> <span id="count"></span></footer>
<script type="application/json" id="data">${inScript({ spans: disagreements, labels: shown, before: [...before], taxonomy: name })}</script>
<script>
const { spans, labels, before, taxonomy } = JSON.parse(document.getElementById("data").textContent);
const key = "settled:" + taxonomy + ":" + spans.map(({ id }) => id).join("|").slice(0, 200) + spans.length;
const settled = new Map(JSON.parse(localStorage.getItem(key) ?? "[]"));
let at = Math.max(0, spans.findIndex(({ id }) => !settled.has(id)));
const main = document.querySelector("main");
const element = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), { textContent: text }, attributes);
function choose(label) {
  settled.set(spans[at].id, label);
  localStorage.setItem(key, JSON.stringify([...settled]));
  at = Math.min(spans.length - 1, at + 1);
  show();
}
function show() {
  document.getElementById("count").textContent = settled.size + " of " + spans.length + " settled" + (before.length > 0 ? ", " + before.length + " before" : "");
  if (spans.length === 0) return main.replaceChildren(element("p", "Nothing to settle: the judges agree."));
  const { id, text, previous, votes } = spans[at];
  const wasHere = main.contains(document.activeElement);
  main.replaceChildren();
  main.append(element("h2", "Span " + (at + 1) + " of " + spans.length), element("p", "Before:"));
  main.append(element("pre", previous || "(start of the trace)", { className: "before", tabIndex: 0 }), element("p", "Span:"), element("pre", text));
  main.append(element("p", "Votes: " + (Object.entries(votes).map(([judge, label]) => judge + " " + label).join(" · ") || "none that could be used")));
  const row = element("div", "", { className: "labels" });
  for (const label of labels) {
    const button = element("button", label.key + " " + label.name, { title: label.meaning });
    button.setAttribute("aria-pressed", String(settled.get(id) === label.name));
    if (label.color) button.style.borderColor = label.color;
    button.onclick = () => choose(label.name);
    row.append(button);
  }
  main.append(row);
  // Whoever chose by Tab and Enter stays at the buttons.
  if (wasHere) row.querySelector("button").focus();
}
addEventListener("keydown", (event) => {
  // The browser's own.
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const label = labels.find(({ key }) => key === event.key);
  if (label && spans.length > 0) choose(label.name);
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    at = Math.max(0, Math.min(spans.length - 1, at + (event.key === "ArrowRight" ? 1 : -1)));
    show();
  }
});
document.getElementById("save").onclick = () => {
  const now = spans.filter(({ id }) => settled.has(id)).map(({ id, votes, ...span }) => [id, { span: id, label: settled.get(id), ...span, confidence: "high" }]);
  const lines = [...new Map([...before, ...now]).values()].map((line) => JSON.stringify(line) + "\\n").join("");
  const link = element("a", "", { href: URL.createObjectURL(new Blob([lines])), download: ${JSON.stringify(settledFile)} });
  link.click();
};
show();
</script>
</html>
`;
}

/** JSON inside a script element: no text of a trace can close it. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
