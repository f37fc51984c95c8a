// The checkpoints of a recipe: what they are called, which part they play, and the order in which they are made. Nothing of
// Node: pages use it.

/** The parts that RL runs play in the paper's story: vanilla GSPO, and RL with the novelty bonus. */
export const policyRoles = { plain: "vanilla", bonus: "novelty" } as const;

const displayNames: ReadonlyMap<string, string> = new Map([
  ["base", "Base"],
  ["sft", "SFT"],
  [policyRoles.plain, "Vanilla GSPO"],
  [policyRoles.bonus, "Novelty bonus"],
]);
export const recipeOrder = [...displayNames.keys()];

/** What tables call it: checkpoints of a recipe by their part in it, anybody else's by their own name. */
export const displayName = (name: string): string => displayNames.get(name) ?? name;

export const knownRole = (name: string): string | undefined => (recipeOrder.includes(name) ? name : undefined);

export function inRecipeOrder(names: readonly string[]): string[] {
  const place = (name: string) => (recipeOrder.includes(name) ? recipeOrder.indexOf(name) : recipeOrder.length);
  return [...names].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** How evaluations of a policy besides its main one are marked in their names. */
export const evaluationSuffix = /-(?:step|epoch)-\d+|-greedy|-at-/;

type Further = {
  /** `step-10`, `epoch-3` */
  readonly checkpoint?: string;
  readonly greedy?: boolean;
  /** What differs in sampling from the policy's first evaluation: `t0.8`. */
  readonly sampling?: string;
};

/** `vanilla-step-10-greedy` */
export const evaluationName = (policy: string, { checkpoint, greedy, sampling }: Further): string =>
  [policy, checkpoint, greedy && "greedy", sampling && `at-${sampling}`].filter(Boolean).join("-");

/** The policy that a name is an evaluation of: `vanilla` of `vanilla-step-10`. */
export const policyOf = (name: string): string => name.replace(new RegExp(`(?:${evaluationSuffix.source}).*$`), "");

/** By part: which run of a recipe plays it. */
export type PoliciesByRole = Readonly<Record<string, string>>;

export const policiesByRole = (
  parts: readonly { readonly kind: string; readonly role?: string; readonly name: string }[],
): PoliciesByRole =>
  Object.fromEntries(
    parts.flatMap(({ kind, role, name }) => (kind === "rl" && role !== undefined ? [[role, name]] : [])),
  );

/** By what a recipe asks puzzles for: the sets, one for each puzzle and size, that are looked at together. */
export type PuzzlePools = Readonly<Record<string, readonly string[]>>;

/** Boards as in training, larger ones, and ones that need search; the miniature's sets have these names themselves. */
export function puzzlePools(configs: readonly Readonly<Record<string, unknown>>[]): PuzzlePools {
  const setsOf = (...keys: string[]) =>
    configs.flatMap(({ puzzles }) => {
      const listed = (puzzles ?? {}) as Readonly<Record<string, unknown>>;
      return keys.flatMap((key) => listed[key] ?? []).map((world) => String(world).replace("=", " "));
    });
  return {
    "held-out puzzles": setsOf("training", "teaching"),
    "puzzles that need search": setsOf("search"),
    "larger puzzles": setsOf("larger"),
  };
}

/** Which part an RL run plays, by its objective as the run records it: nobody's name decides. */
export function roleOfObjective(config: Readonly<Record<string, unknown>>): string | undefined {
  const at = (...path: string[]): unknown =>
    path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config.objective);
  if (at("algorithm") !== "gspo" || at("advantage", "reward") !== undefined) return undefined;
  if (at("advantage", "bonus", "kind") === "novelty") return isPaperBonus(at) ? policyRoles.bonus : undefined;
  const plain = [at("advantage", "bonus", "kind"), at("exploration", "kind"), at("entropy", "kind")];
  const group = at("advantage", "estimator") ?? "group";
  return group === "group" && plain.every((kind) => kind === undefined || kind === "none")
    ? policyRoles.plain
    : undefined;
}

/** Controls rank by something else, for other rollouts, against another model, or the other way round. */
const isPaperBonus = (at: (...path: string[]) => unknown): boolean => {
  const is = (field: string, usual: string) => (at("advantage", "bonus", field) ?? usual) === usual;
  const { weight } = (at("advantage", "bonus") ?? {}) as { readonly weight?: unknown };
  return is("score", "top-tokens") && is("rollouts", "correct") && is("reference", "start") && Number(weight ?? 1) > 0;
};

/** A stage or an evaluation of a recipe, as it describes itself. */
type DescribedPart = {
  readonly kind: string;
  /** Of its folder. */
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
};

type PolicyLook = {
  /** What tables call it. */
  readonly title: string;
  /** `base`, `sft`, or the part that an RL run plays. */
  readonly role?: string;
  /** Of the palette, where one was chosen. */
  readonly color?: string;
};

type ChosenLooks = Readonly<Record<string, { readonly title?: string; readonly color?: string }>>;

/** What the policies of a recipe are called, and which part each plays: read from its RL runs, not from their names. */
export function policyLooks(parts: readonly DescribedPart[], chosen: ChosenLooks = {}): (name: string) => PolicyLook {
  const runs = parts.filter(({ kind }) => kind === "rl");
  const roles = new Map<string, string>([
    ["base", "base"],
    ["sft", "sft"],
  ]);
  for (const role of Object.values(policyRoles)) {
    const playing = runs.filter(({ config }) => roleOfObjective(config) === role);
    const player = playing.find(({ name }) => name === role) ?? playing[0];
    if (player !== undefined) roles.set(player.name, role);
  }
  const titles = new Map(
    runs.flatMap(({ name, config }) => {
      const title = chosen[name]?.title ?? config.title;
      return typeof title === "string" ? [[name, title]] : [];
    }),
  );
  const titled = (name: string) => titles.get(name) ?? displayName(name);
  return (name) => {
    const policy = policyOf(name);
    const mark = name.slice(policy.length).replaceAll("-", " ");
    const known = titles.has(policy) || displayNames.has(policy);
    const role = roles.get(name) ?? (runs.length === 0 ? knownRole(name) : undefined);
    const color = chosen[name]?.color;
    return {
      title: known ? `${titled(policy)}${mark}` : name,
      ...(role !== undefined && { role }),
      ...(color !== undefined && { color }),
    };
  };
}

/** What a recipe has when it is finished, by the paths of its stages. Once it evaluates, all its RL runs are known. */
export function recipeStages(
  there: readonly { readonly id: string; readonly kind: string }[],
  /** Of the recipe: one that began from a given checkpoint has no SFT of its own. */
  { from }: Readonly<Record<string, unknown>> = {},
): string[] {
  const trained = there.filter(({ kind }) => kind === "rl").map(({ id }) => id);
  const judged = there.flatMap(({ id }) =>
    id.startsWith("evaluations/") ? policyOf(id.slice("evaluations/".length)) : [],
  );
  const known = [...trained, ...judged].filter((name) => name !== "base" && name !== "sft");
  const rl = inRecipeOrder([
    ...new Set(judged.length > 0 && known.length > 0 ? known : [...Object.values(policyRoles), ...known]),
  ]);
  return [
    ...(from === undefined ? ["sft"] : []),
    ...rl,
    ...["base", "sft", ...rl].map((name) => `evaluations/${name}`),
  ];
}
