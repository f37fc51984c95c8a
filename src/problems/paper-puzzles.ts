// The puzzles that the paper trains on. Sizes are from its table of in-domain accuracy; difficulties are ours, as the
// paper does not state them. The recipe and every export start from this list.

/** A puzzle and Simon Tatham's parameters. */
export type PuzzleKind = { readonly puzzle: string; readonly params: string };

export const paperPuzzles: readonly PuzzleKind[] = [
  { puzzle: "bridges", params: "7x7d0" },
  { puzzle: "pattern", params: "4x4" },
  { puzzle: "undead", params: "4x4de" },
  { puzzle: "galaxies", params: "3x3dn" },
];
