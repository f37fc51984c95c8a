// A page of documentation for every entry of the package, from the declarations that the compiler writes: `npm run api`
// writes docs/api, and a test compares. What an entry says of itself is the comment at the top of its index.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const apiFolder = join(root, "docs", "api");

/** With what else its file declares, where the types of its arguments usually are. */
type Declared = {
  readonly doc: string;
  readonly text: string;
  readonly exported: boolean;
  readonly beside: Exports;
};
type Entry = { readonly name: string; readonly about: string; readonly stability: string; readonly exports: Exports };
type Exports = ReadonlyMap<string, Declared>;

const kinds = { Functions: /^function/, Classes: /^(abstract )?class/, Values: /^const/, Types: /^(type|interface)/ };

/** The text of every page by its name in docs/api. */
export function apiPages(): Map<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, object> };
  const entries = Object.keys(manifest.exports)
    .filter((path) => !path.endsWith(".json"))
    .map((path) => entryOf(path.slice(2)));
  const pages = entries.map((entry): [string, string] => [pageName(entry.name), page(entry)]);
  return new Map([["README.md", contents(entries)], ...pages]);
}

const pageName = (entry: string) => `${entry.replaceAll("/", "-")}.md`;

function entryOf(name: string): Entry {
  const [comment] = /^(?:\/\/.*\n)+/.exec(readFileSync(join(root, "src", name, "index.ts"), "utf8")) ?? [""];
  const about = comment
    .replaceAll(/^\/\/ ?/gm, "")
    .trim()
    .replaceAll("\n", " ");
  const [, stability] = /Stability: (\w+)\.$/.exec(about) ?? [];
  if (stability === undefined) throw new Error(`src/${name}/index.ts: its first comment ends with "Stability: ….`);
  const exports = exportsOf(join(root, "dist", name, "index.d.ts"));
  return { name, about: about.replace(/ Stability: \w+\.$/, ""), stability, exports };
}

/** What a module exports, through `export … from`, by name. */
function exportsOf(file: string): Map<string, Declared> {
  const text = readFileSync(file, "utf8");
  const found = new Map<string, Declared>();
  const moduleOf = (specifier: string) => resolve(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts"));
  for (const [, names, specifier] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm)) {
    const declared = exportsOf(moduleOf(specifier));
    for (const name of names.split(",").flatMap((part) => part.trim().replace(/^type /, "") || [])) {
      const known = declared.get(name);
      if (known === undefined) throw new Error(`${relative(root, file)}: no declaration of ${name} in ${specifier}`);
      found.set(name, known);
    }
  }
  for (const [, specifier] of text.matchAll(/^export \* from "(\.[^"]+)";/gm))
    for (const [name, declared] of exportsOf(moduleOf(specifier))) found.set(name, declared);
  for (const [name, declared] of declarations(text, file)) if (declared.exported) found.set(name, declared);
  return found;
}

/** The declarations of a file, each with the comment above it. The compiler writes them one after the other, unindented. */
function declarations(text: string, file: string): Map<string, Declared> {
  const found = new Map<string, Declared>();
  const start =
    /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)*?((?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?)(export )?(?:declare )?((?:abstract )?(?:type|interface|class|const|function)) (\w+)/;
  // A comment begins a declaration only with one behind it: the members of a union have comments, too.
  const next = /(?<!\*\/)\n(?=(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)*(?:export |declare |import |type |interface |\/\/))/;
  for (const statement of text.split(next)) {
    const match = start.exec(statement);
    if (match === null) continue;
    const [whole, comment, exported, kind, name] = match;
    const rest = statement.slice(whole.length).trimEnd();
    const earlier = found.get(name);
    const schema = /^: z\.Zod/.test(rest) ? schemaSource(file, name) : undefined;
    const declared = {
      doc: words(comment),
      exported: exported !== undefined,
      beside: found,
      text: schema ?? `${kind} ${name}${withoutPrivates(rest)}`,
    };
    found.set(name, earlier === undefined ? declared : { ...earlier, text: `${earlier.text}\n${declared.text}` });
  }
  return found;
}

/** A schema as it was written: the type that the compiler infers of it is long and says less. */
function schemaSource(file: string, name: string): string {
  const source = readFileSync(file.replace(/dist(?=[/\\])/, "src").replace(/\.d\.ts$/, ".ts"), "utf8");
  const [, text] = new RegExp(`^(?:export )?(const ${name}\\b[\\s\\S]*?;)\\n(?=\\S|\\n|$)`, "m").exec(source) ?? [];
  if (text === undefined) throw new Error(`${relative(root, file)}: no source of ${name}`);
  // What a schema checks besides is a program, not a type.
  return text.replace(/\n *\.superRefine\([\s\S]*$/, ";");
}

const words = (comment: string) =>
  comment
    .replace(/\*\/\s*$/, "")
    .replaceAll(/^\/\*\*|^ *\* ?/gm, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");

const withoutPrivates = (text: string) => text.replaceAll(/^ {4}(?:#private|private [^\n]*);\n/gm, "");

function page({ name, about, stability, exports }: Entry): string {
  const parts = Object.entries(kinds).flatMap(([title, kind]) => {
    const members = [...exports].filter(([, { text }]) => kind.test(text)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (members.length === 0) return [];
    return [`## ${title}`, ...members.map(([member, declared]) => described(member, declared))];
  });
  const unnamed = [...mentioned(exports)].map(([member, declared]) => described(member, declared));
  if (unnamed.length > 0) parts.push("## Mentioned above, not exported", ...unnamed);
  const head = `# repertoire/${name}\n\n${about}\n\n${stability}; ${exports.size} names. [All entries](README.md).`;
  return `${generated}\n${head}\n\n${parts.join("\n\n")}\n`;
}

/** Types in the signatures that have no name outside. */
function mentioned(exports: Exports): Map<string, Declared> {
  const found = new Map<string, Declared>();
  const look = ({ text, beside }: Declared) => {
    for (const [word] of text.matchAll(/\b[A-Z]\w+/g)) {
      const declared = exports.has(word) || found.has(word) ? undefined : beside.get(word);
      if (declared === undefined) continue;
      found.set(word, declared);
      look(declared);
    }
  };
  for (const declared of exports.values()) look(declared);
  return found;
}

const generated = "<!-- Made by `npm run api` from the types. -->";

function described(name: string, { doc, text }: Declared): string {
  return `### ${name}\n\n${doc === "" ? "" : `${doc}\n\n`}\`\`\`ts\n${text.replaceAll(/^ {4}/gm, "  ")}\n\`\`\``;
}

function contents(entries: readonly Entry[]): string {
  const rows = entries.map(
    ({ name, about, stability, exports }) =>
      `| [\`repertoire/${name}\`](${pageName(name)}) | ${about} | ${stability} | ${exports.size} |`,
  );
  return `${generated}
# API reference

\`import { catalog } from "repertoire/puzzles"\`. **Stable** names keep their meaning until a minor version whose changelog says
otherwise. **Evolving** names may change in any version, and the changelog will say so. Anything that no entry exports may change
without notice.

| entry | what it has | | names |
|---|---|---|---|
${rows.join("\n")}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = apiPages();
  mkdirSync(apiFolder, { recursive: true });
  for (const name of readdirSync(apiFolder)) if (!pages.has(name)) rmSync(join(apiFolder, name));
  for (const [name, text] of pages) writeFileSync(join(apiFolder, name), text);
}
