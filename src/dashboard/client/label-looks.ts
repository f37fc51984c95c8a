// What the labels of a taxonomy look like on a page: letters, and the names of their colors.
import { deepLabels } from "../../drawing/palette.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";

export type LabelLook = {
  readonly name: string;
  readonly letter: string;
  readonly meaning: string;
  /** What style sheets call its color. */
  readonly ink: string;
  /** A letter on it is white. */
  readonly deep: boolean;
};

export type Labels = {
  readonly taxonomy: Taxonomy;
  readonly all: readonly LabelLook[];
  /** Undefined for a label of another taxonomy. */
  readonly named: (name: string) => LabelLook | undefined;
  readonly lettered: (letter: string) => LabelLook | undefined;
};

export function labelsOf(taxonomy: Taxonomy): Labels {
  const deep = deepLabels(taxonomy);
  const all = taxonomy.labels.map(({ name, letter, meaning }, i) => ({
    ...{ name, letter, meaning, ink: `label-${i}`, deep: deep.includes(name) },
  }));
  const byName = new Map(all.map((look) => [look.name, look]));
  const byLetter = new Map(all.map((look) => [look.letter, look]));
  return {
    taxonomy,
    all,
    named: (name) => byName.get(name),
    lettered: (letter) => byLetter.get(letter.toUpperCase()),
  };
}

/** Stretches of one label: what a strip is drawn from. */
export function stretches(
  sequence: string,
  { lettered }: Labels,
): { readonly ink: string; readonly from: number; readonly to: number }[] {
  const found: { ink: string; from: number; to: number }[] = [];
  for (let i = 0; i < sequence.length; i++) {
    const ink = lettered(sequence[i])?.ink ?? "muted";
    const last = found.at(-1);
    if (last?.ink === ink) last.to = i + 1;
    else found.push({ ink, from: i, to: i + 1 });
  }
  return found;
}

export function spokenSequence(sequence: string, { lettered }: Labels): string {
  if (sequence === "") return "no spans";
  const counts = new Map<string, number>();
  for (const letter of sequence) {
    const name = lettered(letter)?.name ?? letter;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${count} ${name}`);
  return `${sequence.length} spans: ${parts.join(", ")}`;
}
