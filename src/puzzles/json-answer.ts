// Boards written as JSON, for prompts that ask for it: `{"board": ["# .", ". #"]}`, or rows as lists of cells.
// Reading is strict: what could be read in two ways (a key twice, escapes that spell other characters) is left as text,
// which no puzzle reads.

export function boardText(text: string): string {
  const bare = text.replace(/^\s*(?:`{3,}|~{3,})[\w+#.-]*\n([\s\S]*?)\n(?:`{3,}|~{3,})\s*$/, "$1").trim();
  if (!/^[[{]/.test(bare) || !/[\]}]$/.test(bare)) return text;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return text;
  }
  if (withoutBlanks(JSON.stringify(value)) !== withoutBlanks(bare)) return text;
  const rows = Array.isArray(value) ? value : onlyBoard(value);
  if (rows === undefined) return text;
  const lines = rows.map(rowText);
  return lines.includes(undefined) ? text : lines.join("\n");
}

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

function onlyBoard(value: unknown): readonly unknown[] | undefined {
  const entries = Object.entries(value as object);
  return entries.length === 1 && entries[0][0] === "board" && Array.isArray(entries[0][1]) ? entries[0][1] : undefined;
}

function rowText(row: unknown): string | undefined {
  if (typeof row === "string") return row.includes("\n") ? undefined : row;
  const cells = Array.isArray(row) ? row.map((cell) => (typeof cell === "number" ? String(cell) : cell)) : [];
  const whole = cells.length > 0 && cells.every((cell) => typeof cell === "string" && /^\S+$/.test(cell));
  return whole ? cells.join(" ") : undefined;
}

/** An answer as JSON: its rows as they stand. */
export const jsonBoard = (answer: string): string => JSON.stringify({ board: answer.split("\n") });
