// The labels of the run at hand, for everything on the page. A label's color lies in the style sheet under the number of its
// place, and is set from here, because no style may stand in the page itself.
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo } from "react";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import { type Labels, labelsOf } from "./label-looks.ts";

const Shown = createContext(labelsOf(paperTaxonomy));

export const useLabels = (): Labels => useContext(Shown);

function wear({ labels }: Taxonomy): void {
  const { style } = document.documentElement;
  for (const [i, { color }] of labels.entries())
    style.setProperty(`--label-${i}`, `light-dark(${color.light}, ${color.dark})`);
}

/** Everything inside has these labels; the paper's until others are known. */
export function Labeled({
  taxonomy = paperTaxonomy,
  children,
}: {
  readonly taxonomy?: Taxonomy;
  readonly children: ReactNode;
}) {
  // A run is asked about again and again, and says the same each time.
  const same = JSON.stringify(taxonomy);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is what it says
  const labels = useMemo(() => labelsOf(taxonomy), [same]);
  useLayoutEffect(() => wear(labels.taxonomy), [labels]);
  return <Shown.Provider value={labels}>{children}</Shown.Provider>;
}
