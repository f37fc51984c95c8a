// Names that earlier versions wrote into files and took as settings, by what they are called now.

// Maps, because keys and values come from files: a checkpoint may be called "constructor".
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    clippedShare: "clipFraction",
    goesOnFrom: "resumesFrom",
    heldOut: "validation",
    "sft.heldOutPerPuzzle": "validationPerPuzzle",
    labelledBy: "labeledBy",
    labellers: "labelers",
    normalisation: "normalization",
    slips: "errorRate",
    surprise: "surprisal",
    surprises: "surprisals",
    temperatureHonoured: "temperatureHonored",
  }),
);

const values: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "before-normalisation": "before-normalization",
    "after-normalisation": "after-normalization",
    "sequence-normalised": "sequence-normalized",
    honoured: "honored",
  }),
);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const currentName = (key: string, parent: string): string => names.get(`${parent}.${key}`) ?? names.get(key) ?? key;

/** Settings and small records, at any depth. */
export function withCurrentNames(value: unknown, parent = ""): unknown {
  if (typeof value === "string") return values.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withCurrentNames(item, parent));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [currentName(key, parent), withCurrentNames(inner, key)]),
  );
}

/** One record among many: only its own keys are looked at, and it is copied only where one of them is old. */
export function withCurrentKeys(value: unknown): unknown {
  if (!isRecord(value) || !Object.keys(value).some((key) => names.has(key))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [currentName(key, ""), inner]));
}

/** `sft.heldOutPerPuzzle` as a path of settings. */
export function currentPath(path: string): string {
  const keys = path.split(".");
  return keys.map((key, i) => currentName(key, keys[i - 1] ?? "")).join(".");
}
