// From the columns of somebody's data to problems. A row without a gold answer cannot be graded, unless its owner brings a
// grader: it is dropped, counted and named, never guessed.
import { z } from "zod";
import { ConfigurationError, DataError, messageOf } from "../../base/errors.ts";
import { hash128 } from "../../base/random.ts";
import type { MathematicsProblem, QuestionProblem } from "../problem.ts";
import type { DataRow } from "./rows.ts";

/** A column, a place inside one (`messages.0.content`), or several of which the first that is there is taken. */
const column = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

export const columnsSchema = z.strictObject({
  problem: column,
  answer: column,
  /** Made of the row's own text where there is none, so that it stays when rows are added or reordered. */
  id: column.optional(),
  subject: column.optional(),
});
export type Columns = z.infer<typeof columnsSchema>;

/** Names that data sets commonly use. */
export const usualColumns: Columns = {
  problem: ["problem", "question", "prompt", "messages.0.content"],
  answer: ["answer", "expected_answer", "ground_truth", "gold", "solution", "reward_model.ground_truth"],
  id: ["unique_id", "id", "problem_idx", "ID"],
  subject: ["subject", "problem_type", "type"],
};

/** `problem=question,answer=gold` */
export function readColumns(text: string): Columns {
  const mapping: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [name, place, ...rest] = part.split("=").map((word) => word.trim());
    if (!name || !place || rest.length > 0) {
      throw new ConfigurationError(
        `columns ${JSON.stringify(text)}: expected problem=…,answer=… with optional id=… and subject=…`,
      );
    }
    mapping[name] = place;
  }
  const columns = columnsSchema.safeParse({ ...usualColumns, ...mapping });
  if (!columns.success) {
    throw new ConfigurationError(
      `columns ${JSON.stringify(text)}: unknown column; expected problem, answer, id, subject`,
    );
  }
  return columns.data;
}

export type Dropped = { readonly id: string; readonly because: string };

export type BenchmarkProblem = MathematicsProblem | QuestionProblem;

export type MappedRows = {
  readonly problems: readonly BenchmarkProblem[];
  readonly dropped: readonly Dropped[];
  /** By id: the question as its file has it, without what a prompt says around it. */
  readonly texts: ReadonlyMap<string, string>;
};

export type Presentation = {
  /** `{problem}` stands for the problem's text. */
  readonly prompt: string;
  /** Reads from the problem's own words to how many decimals its gold answer was rounded. */
  readonly roundingInText: boolean;
  /** Decides instead of our mathematics grader: a module's path, or an address. */
  readonly grader?: string;
};

export function problemsOfRows(
  rows: readonly DataRow[],
  set: string,
  columns: Columns,
  presentation: Presentation,
): MappedRows {
  const problems: BenchmarkProblem[] = [];
  const dropped: Dropped[] = [];
  const places = new Map<string, number>();
  const texts = new Map<string, string>();
  const { grader } = presentation;
  if (rows.length > 0)
    requireColumns(rows[0], set, columns, grader === undefined ? ["problem", "answer"] : ["problem"]);
  rows.forEach((row, i) => {
    const rowId = columns.id === undefined ? undefined : textAt(row, columns.id);
    const text = textAt(row, columns.problem);
    const answer = textAt(row, columns.answer);
    if (text === undefined || (answer === undefined && grader === undefined)) {
      dropped.push({
        id: `${set}/${rowId ?? `row ${i}`}`,
        because: text === undefined ? "no problem text" : "no gold answer",
      });
      return;
    }
    let id = `${set}/${rowId ?? contentId(text, answer)}`;
    // The same question twice without ids of its own is asked twice.
    for (let copy = 2; rowId === undefined && places.has(id); copy++) id = `${set}/${contentId(text, answer)}-${copy}`;
    const before = places.get(id);
    if (before !== undefined) {
      throw new DataError(
        `${set}: rows ${before} and ${i} have the same id ${rowId}; map id to a column that is unique`,
      );
    }
    places.set(id, i);
    texts.set(id, text);
    const subject = columns.subject === undefined ? undefined : textAt(row, columns.subject);
    const shared = { id, set, prompt: promptFor(text, presentation.prompt), ...(subject !== undefined && { subject }) };
    if (grader !== undefined) {
      const data = plainRow(row, `${set} row ${i}`);
      problems.push({ kind: "question", ...shared, grader, ...(answer !== undefined && { answer }), data });
      return;
    }
    const decimals = presentation.roundingInText ? decimalsAskedFor(text) : undefined;
    problems.push({
      kind: "mathematics",
      ...shared,
      answer: answer!,
      ...(decimals !== undefined && { decimals }),
    });
  });
  return { problems, dropped, texts };
}

/** Sixteen digits of what the row asks and what it holds to be right. */
function contentId(text: string, answer: string | undefined): string {
  const [high, low] = hash128(`question:${text}\u0000${answer ?? ""}`);
  return [high, low].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** A row as its grader gets it: what JSON can say. Parquet's large numbers become text. */
function plainRow(row: DataRow, where: string): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  } catch (error) {
    throw new DataError(`${where} cannot be given to a grader as JSON: ${messageOf(error)}`);
  }
}

function requireColumns(row: DataRow, set: string, columns: Columns, wanted: readonly ("problem" | "answer")[]): void {
  for (const name of wanted) {
    const tried = [columns[name]].flat();
    if (tried.some((place) => valueAt(row, place) !== undefined)) continue;
    throw new DataError(
      `${set}: no column for the ${name} (tried ${tried.join(", ")}); the columns are ${Object.keys(row).join(", ")}. Map it with --columns ${name}=…`,
    );
  }
}

/** An instruction about the form of the answer, unless the problem brings its own. */
function promptFor(text: string, template: string): string {
  return /\\boxed|\bAnswer: \$/.test(text) ? text : template.replace("{problem}", () => text);
}

function valueAt(row: DataRow, place: string): unknown {
  if (place in row) return row[place];
  let value: unknown = row;
  for (const step of place.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[step];
  return value;
}

/** Text of the first place that holds any; numbers and lists are written out, nothing and blanks are absent. */
function textAt(row: DataRow, places: string | readonly string[]): string | undefined {
  for (const place of typeof places === "string" ? [places] : places) {
    const text = asText(valueAt(row, place));
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) {
    // A conversation that asks, as verl's datasets hold it.
    const turns = value.map((turn) => asText((turn as { content?: unknown } | null)?.content));
    if (turns.length > 0 && turns.every((turn) => turn !== undefined)) return turns.join("\n\n");
    const parts = value.map(asText);
    return parts.every((part) => part !== undefined) && parts.length > 0 ? parts.join(", ") : undefined;
  }
  return undefined;
}

const numberWords: Readonly<Record<string, number>> = { zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };

/** "Round your answer to 2 decimal places" → 2 */
export function decimalsAskedFor(text: string): number | undefined {
  const match =
    /\bround(?:ed)?\b[^.?!]{0,80}?\bto\s+(?:the\s+nearest\s+)?(\d+|zero|one|two|three|four|five|six)\s+decimal/i.exec(
      text,
    );
  if (match === null) return undefined;
  return numberWords[match[1].toLowerCase()] ?? Number(match[1]);
}
