// A motif as marks in a row; a category by its name.
import { type Primitive, primitives } from "../../../rollouts/primitives.ts";
import { motifOf } from "../../../traces/motifs.ts";
import { PrimitiveMark } from "./marks.tsx";

const isPrimitive = (word: string): word is Primitive => (primitives as readonly string[]).includes(word);

export function MotifMarks({ motif, short = false }: { readonly motif: string; readonly short?: boolean }) {
  const parts = motifOf(motif);
  if (!parts.every(isPrimitive)) return <>{motif}</>;
  return (
    <span className="motif-marks" title={parts.join(" → ")}>
      {parts.map((primitive, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a primitive's name is its place in the motif
        <PrimitiveMark key={i} of={primitive} />
      ))}
      <span className={short ? "motif-words" : "for-readers"}>{parts.join(" → ")}</span>
    </span>
  );
}
