// Sequences of primitives as letters, back to primitives.
import { primitiveLetters } from "../../report/primitive-colours.ts";
import { type Primitive, primitives } from "../../rollouts/primitives.ts";

const byLetter = new Map<string, Primitive>(primitives.map((primitive) => [primitiveLetters[primitive], primitive]));

export function primitiveOfLetter(letter: string): Primitive {
  return byLetter.get(letter.toUpperCase()) ?? "other";
}

/** Stretches of one primitive: what a strip is drawn from. */
export function stretches(
  sequence: string,
): { readonly primitive: Primitive; readonly from: number; readonly to: number }[] {
  const found: { primitive: Primitive; from: number; to: number }[] = [];
  for (let i = 0; i < sequence.length; i++) {
    const primitive = primitiveOfLetter(sequence[i]);
    const last = found.at(-1);
    if (last?.primitive === primitive) last.to = i + 1;
    else found.push({ primitive, from: i, to: i + 1 });
  }
  return found;
}

export function spokenSequence(sequence: string): string {
  if (sequence === "") return "no spans";
  const counts = new Map<Primitive, number>();
  for (const letter of sequence) {
    const primitive = primitiveOfLetter(letter);
    counts.set(primitive, (counts.get(primitive) ?? 0) + 1);
  }
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([primitive, count]) => `${count} ${primitive}`);
  return `${sequence.length} spans: ${parts.join(", ")}`;
}
