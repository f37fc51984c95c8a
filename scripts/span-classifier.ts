// `npm run span-classifier`: the classifier that ships, from files that are named. Labels are in data/span-labels.tsv, a span by
// its digest; the traces that the spans are from are others' (`npm run data -- --spans`): every long text in them is cut as any
// response is, and what has a label is learned from, and so is what a first model is sure of in the rest of the same traces.
// Spans of sudokus have the labels that their boards decide. All go beside the traces with their texts, as lines of spans.
//   npm run span-classifier -- <folder>    elsewhere than models/span-classifier
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../src/base/files.ts";
import { paperTaxonomy } from "../src/rollouts/paper-taxonomy.ts";
import { decidedByBoard } from "../src/traces/classifier/quality.ts";
import { segment } from "../src/traces/segmentation.ts";
import { inContext } from "../src/traces/span-classifier.ts";
import { boardIn, boardLabels, sudokuBroken } from "./board-labels.ts";

const root = resolve(import.meta.dirname, "..");
const folder = process.env.REPERTOIRE_DATA ?? resolve(root, "../shared/data");

/** What quality is told of: no board puzzle is among them. */
const domains: Readonly<Record<string, string>> = {
  "trick questions": "trick questions",
  "short questions": "trick questions",
  MATH: "mathematics",
  "MATH level 5": "mathematics",
  TheoremQA: "mathematics",
  "textbook problems": "textbook problems",
  GPQA: "science",
  "zebra puzzles": "zebra puzzles",
  "reasoning-gym": "reasoning-gym tasks",
  code: "code",
  arguments: "arguments",
};

type SpanLabel = {
  readonly label: string;
  readonly readings: readonly string[];
  readonly confidence: string;
  readonly drawn: string;
  readonly question: string;
  readonly source: string;
  readonly weight?: number;
};

function readLabels(): Map<string, SpanLabel> {
  const nameOf = new Map(paperTaxonomy.labels.map(({ letter, name }) => [letter, name]));
  const lines = readFileSync(join(root, "data/span-labels.tsv"), "utf8").trim().split("\n").slice(1);
  return new Map(
    lines.map((line) => {
      const [span, letters, confidence, drawn, question, source, round] = line.split("\t");
      const readings = Array.from(letters, (letter) => nameOf.get(letter)!);
      const chosen = drawn === "random" ? drawn : `predicted ${nameOf.get(drawn)}`;
      // Read later, of other collections, and counted half: at full weight spans of the first round are called worse.
      const weight = round === "2" ? { weight: 0.5 } : {};
      return [span, { label: readings[0], readings, confidence, drawn: chosen, question, source, ...weight }];
    }),
  );
}

/** The texts of a file of JSON or JSON lines that are long enough to be responses. */
function* longTexts(path: string): Generator<string> {
  const text = readFileSync(path, "utf8");
  const parsed = (line: string): unknown[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  };
  const whole = parsed(text);
  yield* strings(whole.length > 0 ? whole : text.split("\n").flatMap(parsed));
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (value.length >= 200) yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) yield* strings(part);
  }
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

const sudokusSchema = z.object({
  results: z.array(
    z.object({ question: z.string(), completions: z.array(z.object({ full_model_response: z.string().nullable() })) }),
  ),
});

/** Nobody read these: the boards say what was worked out, taken back, set up or summed up. */
function* decidedSpans(path: string): Generator<object> {
  for (const { question, completions } of sudokusSchema.parse(JSON.parse(readFileSync(path, "utf8"))).results) {
    const givens = boardIn(question);
    if (givens === undefined) continue;
    for (const { full_model_response: response } of completions) {
      const spans = segment(response ?? "");
      const decided = boardLabels(spans, givens, sudokuBroken);
      for (const [i, span] of inContext(spans).entries()) {
        if (decided[i] === undefined) continue;
        const of = { question: digestOf(question), source: "sudoku", domain: "sudoku" };
        yield { ...span, ...of, label: decided[i], drawn: decidedByBoard };
      }
    }
  }
}

const labels = readLabels();
const wanted = labels.size;
const sources = JSON.parse(readFileSync(join(root, "data/span-sources.json"), "utf8")) as readonly {
  readonly repository: string;
  readonly files: Readonly<Record<string, string>>;
  readonly boards?: string;
}[];
const found: object[] = [];
const unread: object[] = [];
const decided: object[] = [];
for (const { repository, files, boards } of sources) {
  for (const path of Object.keys(files)) {
    const file = join(folder, "span-sources", repository, path);
    if (!existsSync(file)) throw new Error(`${file} is not there; fetch it: npm run data -- --spans`);
    if (boards !== undefined) {
      decided.push(...decidedSpans(file));
      continue;
    }
    for (const text of new Set(longTexts(file))) {
      const rest: object[] = [];
      let known: Pick<SpanLabel, "question" | "source"> | undefined;
      for (const span of inContext(segment(text))) {
        const digest = digestOf(span.text);
        const label = labels.get(digest);
        if (label === undefined) {
          rest.push(span);
          continue;
        }
        labels.delete(digest);
        known = label;
        found.push({ ...span, ...label, domain: domains[label.source] });
      }
      if (known === undefined) continue;
      const { question, source } = known;
      unread.push(...rest.map((span) => ({ ...span, question, source, domain: domains[source] })));
    }
  }
}
async function written(name: string, spans: readonly object[]): Promise<string> {
  const path = join(folder, "spans", name);
  await writeFileAtomically(path, spans.map((span) => `${JSON.stringify(span)}\n`).join(""));
  return path;
}
const files = {
  read: await written("read-spans.jsonl", found),
  decided: await written("decided-spans.jsonl", decided),
  unread: await written("unread-spans.jsonl", unread),
};
console.error(
  `${found.length} of ${wanted} labeled spans found, ${decided.length} decided by boards, ${unread.length} beside them unread; in ${join(folder, "spans")}`,
);
execFileSync(
  process.execPath,
  [
    ...[join(root, "scripts/repertoire.mjs"), "traces", "train-classifier", "--name", "repertoire span classifier"],
    ...["--data", files.read, "--data", files.decided],
    ...["--unread", files.unread],
    ...["--out", process.argv[2] ?? join(root, "models/span-classifier")],
  ],
  { stdio: "inherit" },
);
