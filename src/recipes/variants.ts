// The RL runs of a recipe as a list: each a name and what its objective has that the recipe's own has not. All of them begin
// at the same checkpoint, on the same problems with the same seeds, so that what differs is the objective.
import { z } from "zod";
import { ConfigurationError, schemaProblems } from "../base/errors.ts";
import { colorNames } from "../drawing/palette.ts";
import { paperValue } from "../problems/paper.ts";
import { displayName, evaluationSuffix, policyRoles, roleOfObjective } from "../runs/recipe-names.ts";
import { type Objective, type ObjectiveInput, objectiveSchema } from "../training/objective.ts";

const reserved = [
  "base",
  "sft",
  "teacher",
  "teach",
  "evaluations",
  "choosing",
  "analysis",
  "report",
  "corpus",
  "forks",
];

/** The paper's bonus and its controls, each a change of the paper's: whatever they keep as well is not kept by surprise. */
const bonusTitles = {
  novelty: "Novelty bonus",
  random: "Bonus of random z",
  shuffled: "Bonus of shuffled z",
  length: "Bonus of length",
  "mean-nll": "Bonus of mean NLL",
  negative: "Negative novelty bonus",
  "all-rollouts": "Novelty bonus on all rollouts",
  "base-reference": "Novelty against the base",
  motifs: "Bonus of rare motifs",
  "self-consistency": "Paid for agreement, not for the task",
} as const;
type BonusName = keyof typeof bonusTitles;
const bonusNames = Object.keys(bonusTitles) as [BonusName, ...BonusName[]];

const variantSchema = z.strictObject({
  /** Of its folder, and in tables. */
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, "expected lower-case letters, digits and hyphens")
    .refine((name) => !reserved.includes(name) && !evaluationSuffix.test(name), {
      message: `a recipe uses that name itself (${reserved.join(", ")}, …-step-<n>, …-greedy)`,
    }),
  /** In the report; the name unless given. */
  title: z.string().min(1).optional(),
  /** In the report; one that no other has unless given. */
  color: z.enum(colorNames).optional(),
  /** The recipe's bonus or one of its controls, in a word. */
  bonus: z.enum(bonusNames).optional(),
  /** Over the recipe's own GSPO; another algorithm has its own defaults. */
  objective: z.record(z.string(), z.unknown()).optional(),
});
export type Variant = z.output<typeof variantSchema>;

export const variantsSchema = z
  .array(variantSchema)
  .min(1)
  .refine((variants) => new Set(variants.map(({ name }) => name)).size === variants.length, {
    message: "two variants have the same name",
  })
  .refine(
    (variants) => {
      const colors = variants.flatMap(({ color }) => color ?? []);
      return new Set(colors).size === colors.length;
    },
    { message: "two variants have the same color" },
  );

/** GSPO, and GSPO with the novelty bonus. */
export const paperVariants: readonly Variant[] = paperValue("variants");

/** Whoever calls a run `novelty` and says no more means the paper's bonus, not plain RL under its name. */
const bonusOf = ({ name, bonus, objective }: Variant): BonusName | undefined =>
  bonus ?? (name === policyRoles.bonus && objective === undefined ? "novelty" : undefined);

/** As it was chosen, or what a control is; otherwise its name does. */
export function givenTitle(variant: Variant): string | undefined {
  const bonus = bonusOf(variant);
  const byName = bonus === undefined || (bonus === "novelty" && variant.name === policyRoles.bonus);
  return variant.title ?? (byName ? undefined : bonusTitles[bonus]);
}

const titleOf = (variant: Variant): string => givenTitle(variant) ?? displayName(variant.name);

/** What its stage is called while it runs. */
export function stageTitle(variant: Variant): string {
  const { name, objective, title } = variant;
  const bonus = bonusOf(variant);
  if (name === policyRoles.plain && objective === undefined && bonus === undefined) return "GSPO";
  const papers = bonus === "novelty" || (name === policyRoles.bonus && bonus === undefined);
  return papers && title === undefined ? "GSPO with the novelty bonus" : titleOf(variant);
}

/** Of a list by name, or an error that says which there are. */
export function variantNamed(variants: readonly Variant[], name: string): Variant {
  const found = variants.find((variant) => variant.name === name);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `unknown variant "${name}"; expected one of: ${variants.map((one) => one.name).join(", ")}`,
  );
}

type RecipeObjective = {
  /** What a variant changes. */
  readonly gspo: Extract<ObjectiveInput, { algorithm: "gspo" }>;
  /** The recipe's values of the bonus, for variants that have it. */
  readonly novelty: Readonly<Record<string, unknown>>;
};

export function variantObjective(variant: Variant, recipe: RecipeObjective): Objective {
  const { name } = variant;
  const wanted = bonusOf(variant);
  const change =
    wanted === undefined
      ? {}
      : { advantage: wanted === "self-consistency" ? agreement : { bonus: bonusChange(wanted, recipe.novelty) } };
  const objective = merged(change, variant.objective ?? {});
  const { algorithm = "gspo" } = objective;
  const own = algorithm === "gspo" ? merged(recipe.gspo, objective) : objective;
  const bonus = recordAt(recordAt(own, "advantage"), "bonus");
  const whole = bonus.kind === "novelty" ? merged({ advantage: { bonus: recipe.novelty } }, own) : own;
  const parsed = objectiveSchema.safeParse(whole);
  if (!parsed.success)
    throw new ConfigurationError(`variants: the objective of "${name}": ${schemaProblems(parsed.error)}`);
  const role = roleOfObjective({ objective: parsed.data });
  const misnamed =
    name === policyRoles.bonus ? role !== name : name === policyRoles.plain && role === policyRoles.bonus;
  if (misnamed && variant.bonus === undefined)
    throw new ConfigurationError(
      `variants: "${name}" has an objective ${role === policyRoles.bonus ? "with" : "without"} the novelty bonus, and everything would call it by that name; ${role === policyRoles.bonus ? "" : `add "bonus": "novelty", or `}choose another name`,
    );
  return parsed.data;
}

/** Another reward, and no bonus. */
const agreement = { reward: "agreement", bonus: { kind: "none" } } as const;

/** What a word changes of the recipe's bonus. */
function bonusChange(
  bonus: Exclude<BonusName, "self-consistency">,
  { weight }: Readonly<Record<string, unknown>>,
): Plain {
  const kind = "novelty";
  switch (bonus) {
    case "novelty":
      return { kind };
    case "negative":
      return { kind, weight: -Number(weight) };
    case "all-rollouts":
      return { kind, rollouts: "all" };
    case "base-reference":
      return { kind, reference: "base" };
    default:
      return { kind, score: bonus };
  }
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const recordAt = (value: Plain, key: string): Plain => (isPlain(value[key]) ? value[key] : {});

/** What is chosen by a word (which algorithm, which kind of bonus) is replaced as a whole when the word is another. */
const choices = ["algorithm", "kind", "by"] as const;

function merged(base: Plain, over: Plain): Plain {
  if (choices.some((key) => over[key] !== undefined && base[key] !== undefined && over[key] !== base[key])) return over;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = base[key];
    result[key] = isPlain(before) && isPlain(value) ? merged(before, value) : value;
  }
  return result;
}
