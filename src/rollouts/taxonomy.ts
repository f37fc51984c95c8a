// What a span of a chain of thought can be doing: a taxonomy, as a value. The paper's nine primitives are the default; a
// user's own file (`--taxonomy`) replaces them from the jury to the dashboard. Nothing outside this file and the miniature's
// grammar names a single primitive of the paper.
import { z } from "zod";
import { DataError, schemaProblems } from "../base/errors.ts";

export type Color = { readonly light: string; readonly dark: string };

const colorSchema = z.object({ light: z.string().regex(/^#[0-9a-f]{6}$/i), dark: z.string().regex(/^#[0-9a-f]{6}$/i) });

const labelSchema = z.strictObject({
  /** A word that needs no quotes anywhere: it is a column of tables and a class of pages. */
  name: z.string().regex(/^[a-z][a-z-]*$/, "lower-case letters and hyphens"),
  /** How sequences are written and searched. */
  letter: z.string().regex(/^[A-Z]$/, "one capital letter"),
  /** For the reader of a figure. */
  meaning: z.string().min(1),
  /** For a judge; the meaning where it is absent. */
  definition: z.string().min(1).optional(),
  color: colorSchema,
});

/** A kind of short pattern. `pattern` names what may stand at each place; `holds` what must occur somewhere in the window. */
const categorySchema = z.union([
  z.strictObject({ name: z.string(), pattern: z.array(z.union([z.string(), z.array(z.string()).min(1)])).min(2) }),
  z.strictObject({ name: z.string(), length: z.number().int().min(2).max(15), holds: z.array(z.string()).min(1) }),
]);

export const taxonomySchema = z
  .strictObject({
    name: z.string().min(1),
    labels: z.array(labelSchema).min(2).max(20),
    /** Formatting and meta talk: no motif and no run goes across it. */
    break: z.string(),
    /** On-track work, of which chains are made; the stricter list is the robustness check. */
    exploit: z.array(z.string()).min(1),
    exploitStrict: z.array(z.string()).min(1).optional(),
    /** What lets a model leave a line that fails; the monitor watches these. */
    recover: z.array(z.string()).min(1),
    /** Followed by name, counted without overlap. */
    motifs: z.record(z.string(), z.array(z.string()).min(2).max(15)).default({}),
    /** The first that fits names a window; categories of different length do not compete. */
    categories: z.array(categorySchema).default([]),
    /** Regular expressions for words that open a new move of reasoning, at the start of a line or sentence. */
    markers: z.array(z.string().min(1)).optional(),
    /** What judges are told besides the definitions. */
    guidelines: z.string().optional(),
  })
  .superRefine((taxonomy, context) => {
    const names = taxonomy.labels.map(({ name }) => name);
    const complain = (message: string) => context.addIssue({ code: "custom", message });
    const twice = (values: readonly string[]) => values.find((value, i) => values.indexOf(value) !== i);
    for (const [what, values] of [
      ["label", names],
      ["letter", taxonomy.labels.map(({ letter }) => letter)],
    ] as const) {
      const repeated = twice(values);
      if (repeated !== undefined) complain(`the ${what} "${repeated}" occurs twice`);
    }
    const used = [
      taxonomy.break,
      ...taxonomy.exploit,
      ...(taxonomy.exploitStrict ?? []),
      ...taxonomy.recover,
      ...Object.values(taxonomy.motifs).flat(),
      ...taxonomy.categories.flatMap((category) => ("holds" in category ? category.holds : category.pattern.flat())),
    ];
    for (const name of new Set(used))
      if (!names.includes(name)) complain(`"${name}" is not among the labels: ${names.join(", ")}`);
    if (taxonomy.exploit.includes(taxonomy.break)) complain("the break cannot be exploitation");
    for (const marker of taxonomy.markers ?? [])
      if (!compiles(marker)) complain(`"${marker}" is not a regular expression`);
  });
export type Taxonomy = z.output<typeof taxonomySchema>;

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "iy");
    return true;
  } catch {
    return false;
  }
}

/** A taxonomy from a file's text, or an error that says what to mend. */
export function readTaxonomy(text: string, where: string): Taxonomy {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`${where} is not JSON: ${(error as Error).message}`);
  }
  const parsed = taxonomySchema.safeParse(value);
  if (!parsed.success) {
    throw new DataError(
      `${where} is not a taxonomy; \`repertoire traces taxonomy\` prints the paper's as an example: ${schemaProblems(parsed.error)}`,
    );
  }
  return parsed.data;
}

/** Who labels rollouts while a policy is trained: whoever the caller chose, or nobody. */
export type RolloutLabeler = {
  /** Written beside the labels, so that whoever reads them knows whose they are. */
  readonly id: string;
  readonly taxonomy: Taxonomy;
  readonly labels: (response: string, question?: string) => readonly string[] | Promise<readonly string[]>;
};
