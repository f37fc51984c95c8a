// What a probe measured beside what the server's record says: where they differ, training does not begin.
import { EngineError } from "../../base/errors.ts";
import { type Capabilities, capabilities, type ServerKind, serverKinds } from "./capabilities.ts";
import type { Finding, Measured } from "./measured.ts";

export type ProbeRow = {
  readonly field: string;
  readonly expected: string;
  /** Absent where the experiment could not tell. */
  readonly measured?: string;
  readonly agrees: boolean;
  readonly because: string;
};

export function compareWithRecord(kind: ServerKind, measured: Measured): ProbeRow[] {
  const record = capabilities[kind];
  const row = <T>(field: string, expected: string, finding: Finding<T>, agrees: (value: T) => boolean): ProbeRow => {
    const { value, because } = finding;
    return {
      field,
      expected,
      measured: value === undefined ? undefined : wordsOf(value),
      // What could not be measured contradicts nothing.
      agrees: value === undefined || agrees(value),
      because,
    };
  };
  const same = <K extends keyof Capabilities & keyof Measured>(field: K, title: string) =>
    row(
      title,
      wordsOf(record[field]),
      measured[field] as Finding<unknown>,
      (value) => wordsOf(value) === wordsOf(record[field]),
    );
  const atLeast = <K extends keyof Capabilities & keyof Measured>(field: K, title: string, better: Capabilities[K]) =>
    row(title, wordsOf(record[field]), measured[field] as Finding<unknown>, (value) =>
      record[field] === better ? value === better : true,
    );
  const normalizing = record.reduction === "sequence-normalized";
  return [
    same("reduction", "reduction of cross-entropy"),
    same("negativeWeights", "negative weights"),
    // Only servers that normalize cross-entropy are trained through importance sampling.
    ...(normalizing
      ? [row("importance sampling", "linear", measured.importanceSampling, (value) => value === "linear")]
      : []),
    same("promptLogprobs", "prompt log-probs"),
    same("sampledLogprobs", "log-probs of samples"),
    // A field that acts although the record does not count on it does no harm.
    row("optimizer fields", wordsOf(record.optimizerFields), measured.optimizerFields, (fields) =>
      record.optimizerFields.every((field) => fields.includes(field)),
    ),
    row("scoring at a temperature", wordsOf(record.extendedScoring), measured.extendedScoring, (can) =>
      record.extendedScoring ? can : true,
    ),
    row(
      "sampling from training weights",
      wordsOf(record.samplesFromTrainingWeights),
      measured.samplesFromTrainingWeights,
      (can) => (record.samplesFromTrainingWeights ? can : true),
    ),
    row("seeds", record.seeds, measured.seeds, (value) =>
      record.seeds === "uint32" ? value === "uint32" || value === "at-least-int32" : value !== "smaller",
    ),
    // From here on the client is ready for the worse of two cases where its record says so, and the better does no harm.
    atLeast("frozenCheckpoints", "a checkpoint in sampling", "apart"),
    atLeast("newModels", "gradient of a new model", "clean"),
    atLeast("weightDecayReach", "weight decay moves", "own-model"),
    row("a model that is gone", "noticed", measured.lostModels, (value) => value === "noticed"),
    atLeast("repeatedSaves", "a name saved twice", "replaced"),
    atLeast("checkpointNames", "names of checkpoints", "with-dots"),
    atLeast("unknownFields", "fields that are not known", "ignored"),
    atLeast("loraAlpha", "alpha of adapters", "chosen"),
  ];
}

/** The rows on which training would not do what it says. */
export const differencesFrom = (kind: ServerKind, measured: Measured): ProbeRow[] =>
  compareWithRecord(kind, measured).filter(({ agrees }) => !agrees);

/** The kinds whose record agrees with everything that was measured. */
export function kindsThatAgree(measured: Measured): ServerKind[] {
  return serverKinds.filter((kind) => compareWithRecord(kind, measured).every(({ agrees }) => agrees));
}

/** Throws where the server is not what it is taken for. */
export function refuseIfDifferent(url: string, kind: ServerKind, measured: Measured): void {
  const different = differencesFrom(kind, measured);
  if (different.length === 0) return;
  const lines = different.map(
    ({ field, expected, measured, because }) => `  ${field}: expected ${expected}, measured ${measured} (${because})`,
  );
  const others = kindsThatAgree(measured);
  const advice =
    others.length > 0
      ? `it behaves like ${others.map((other) => `--server ${other}`).join(" or ")}`
      : "no kind of server that we know behaves so; training on it would not do what it says";
  throw new EngineError(`${url} is not a ${kind} server:\n${lines.join("\n")}\n${advice}`);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ") || "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
