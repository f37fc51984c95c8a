// A probe that is done once for a server and written down, so that a run that goes on does not repeat it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeFileAtomically } from "../../base/files.ts";
import { withoutSecrets } from "../../base/secrets.ts";
import { optimizerFields, type ServerKind } from "./capabilities.ts";
import { type Measured, probe } from "./probe.ts";
import { refuseIfDifferent } from "./probe-report.ts";

const finding = <T extends z.ZodType>(value: T) => z.object({ value: value.optional(), because: z.string() });

const recordSchema = z.object({
  url: z.string(),
  loraRank: z.number(),
  measured: z.object({
    bodies: finding(z.array(z.enum(["protobuf", "json"]))),
    reduction: finding(z.enum(["token-sum", "sequence-normalised", "other"])),
    negativeWeights: finding(z.enum(["honoured", "broken"])),
    importanceSampling: finding(z.enum(["linear", "broken"])),
    promptLogprobs: finding(z.enum(["with-first", "without-first"])),
    sampledLogprobs: finding(z.enum(["raw", "tempered"])),
    optimizerFields: finding(z.array(z.enum(optimizerFields))),
    extendedScoring: finding(z.boolean()),
    samplesFromTrainingWeights: finding(z.boolean()),
  }),
});

export type CheckedServer = {
  readonly url: string;
  readonly key?: string;
  readonly kind: ServerKind;
  readonly baseModel: string;
  readonly loraRank: number;
  readonly patienceSeconds?: number;
  readonly tell?: (message: string) => void;
};

/** Measures the server, unless the file says what it did when it was measured, and throws where it is not of its kind. */
export async function checkServer(file: string, server: CheckedServer): Promise<void> {
  refuseIfDifferent(server.url, server.kind, (await recorded(file, server)) ?? (await measure(file, server)));
}

async function recorded(file: string, { url, loraRank }: CheckedServer): Promise<Measured | undefined> {
  if (!existsSync(file)) return undefined;
  const record = recordSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  const same = record.success && record.data.url === withoutSecrets(url) && record.data.loraRank === loraRank;
  return same ? record.data.measured : undefined;
}

async function measure(file: string, server: CheckedServer): Promise<Measured> {
  const { url, key, kind, baseModel, loraRank, patienceSeconds = 600, tell } = server;
  tell?.(`measuring whether ${url} behaves like a ${kind} server (once for this run)`);
  const measured = await probe({ url, key, baseModel, loraRank, patienceSeconds });
  await writeFileAtomically(
    file,
    `${JSON.stringify({ url: withoutSecrets(url), loraRank, measured }, null, 2)}
`,
  );
  return measured;
}
