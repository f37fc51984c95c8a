// The YAML and TOML that programs write of their settings: nested names with numbers, texts, lists. No anchors, no tags,
// no tables within a line; what is not understood stays the text it is. For reading settings, not for configuring anything.

type Tree = Record<string, unknown>;

/** As both write them: true, 0.5, null, "text", [1, 2]; anything else is a text. */
function scalar(text: string): unknown {
  const plain = text.trim();
  if (/^(?:~|null|)$/i.test(plain)) return null;
  if (/^(?:true|false)$/i.test(plain)) return plain.toLowerCase() === "true";
  if (/^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return Number(plain.replaceAll("_", ""));
  if (/^'.*'$/s.test(plain)) return plain.slice(1, -1).replaceAll("''", "'");
  if (/^\[.*\]$/s.test(plain)) return items(plain.slice(1, -1)).map(scalar);
  if (/^".*"$/s.test(plain)) {
    try {
      return JSON.parse(plain);
    } catch {
      return plain.slice(1, -1);
    }
  }
  return plain;
}

/** Cut at commas that are in no quotes and no brackets. */
function items(text: string): string[] {
  const found: string[] = [];
  let [depth, quote, begin] = [0, "", 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    else if (character === "," && depth === 0) {
      found.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...found, text.slice(begin)].filter((item) => item.trim() !== "");
}

const set = (tree: Tree, key: string, value: unknown) =>
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

/** Block style, as Hydra, wandb and PyYAML write it. */
export function yamlValues(text: string): Tree {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:#|---|$)/.test(line))
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim().replace(/\s#.*$/, "") }));
  let at = 0;
  const block = (indent: number, depth: number): unknown => {
    const tree: Tree = {};
    const list: unknown[] = [];
    for (; at < lines.length && lines[at].indent >= indent && depth < 50; ) {
      const { text, indent: own } = lines[at];
      if (/^-(?:\s|$)/.test(text)) {
        at++;
        list.push(scalar(text.slice(1)));
        // A record in a list is passed over: its first name stands in this line.
        while (at < lines.length && lines[at].indent > own) at++;
        continue;
      }
      const [, key, rest] = /^("[^"]*"|'[^']*'|[^:]+):(?:\s+(.*))?$/.exec(text) ?? [];
      at++;
      if (key === undefined) continue;
      const next = lines[at];
      const isBelow = next !== undefined && (next.indent > own || (next.indent === own && next.text.startsWith("-")));
      const empty = rest === undefined || rest === "";
      set(tree, String(scalar(key)), empty && isBelow ? block(next.indent, depth + 1) : scalar(rest ?? ""));
      // The lines of a longer text.
      if (!empty) while (at < lines.length && lines[at].indent > own) at++;
    }
    return list.length > 0 ? list : tree;
  };
  const whole = block(0, 0);
  return isTree(whole) ? whole : {};
}

export function tomlValues(text: string): Tree {
  const whole: Tree = {};
  let table = whole;
  const inside = (path: string, from: Tree): Tree => {
    let tree = from;
    for (const part of path.split(".").map((name) => String(scalar(name)))) {
      if (!Object.hasOwn(tree, part) || !isTree(tree[part])) set(tree, part, {});
      tree = tree[part] as Tree;
    }
    return tree;
  };
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at].trim();
    const header = /^\[{1,2}([^\]]+)\]{1,2}$/.exec(line.replace(/\s#.*$/, ""));
    if (header !== null) table = inside(header[1], whole);
    const equals = line.indexOf("=");
    if (header !== null || line.startsWith("#") || equals < 1) continue;
    // A list may go on in the next lines.
    while (/=\s*\[/.test(line) && !line.endsWith("]") && at + 1 < lines.length) line += ` ${lines[++at].trim()}`;
    const path = line.slice(0, equals).trim();
    const [, above, name] = /^(?:(.*)\.)?([^.]+)$/.exec(path) ?? [];
    if (name === undefined) continue;
    const value = line.slice(equals + 1).replace(/\s#[^"']*$/, "");
    set(above === undefined ? table : inside(above, table), String(scalar(name)), scalar(value));
  }
  return whole;
}
