// The checkpoints of a recipe: what they are called, and the order in which they are made. Nothing of Node: pages use it.

export const displayNames: Readonly<Record<string, string>> = {
  base: "Base",
  sft: "SFT",
  vanilla: "Vanilla GSPO",
  novelty: "Novelty bonus",
};
export const recipeOrder = Object.keys(displayNames);

export const knownRole = (name: string): string | undefined => (recipeOrder.includes(name) ? name : undefined);

export function inRecipeOrder(names: readonly string[]): string[] {
  const place = (name: string) => (recipeOrder.includes(name) ? recipeOrder.indexOf(name) : recipeOrder.length);
  return [...names].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}
