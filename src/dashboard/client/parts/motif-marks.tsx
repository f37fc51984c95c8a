// A motif as marks in a row; a category by its name.
import { visibleText } from "../../../drawing/safe-text.ts";
import { motifOf } from "../../../traces/motifs.ts";
import { useLabels } from "../labels.tsx";
import { PrimitiveMark } from "./marks.tsx";

/** `words` shows the names beside the marks; otherwise they are only read out. */
export function MotifMarks({ motif, words = false }: { readonly motif: string; readonly words?: boolean }) {
  const parts = motifOf(motif);
  const { named } = useLabels();
  if (!parts.every((word) => named(word) !== undefined)) return <>{visibleText(motif)}</>;
  return (
    <span className="motif-marks" title={parts.join(" → ")}>
      {parts.map((primitive, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a primitive's name is its place in the motif
        <PrimitiveMark key={i} of={primitive} />
      ))}
      <span className={words ? "motif-words" : "for-readers"}>{parts.join(" → ")}</span>
    </span>
  );
}
