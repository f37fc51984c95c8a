// What an analysis was made from, so that it notices when its inputs have grown or changed: the size and digest of every file.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";

export const inputFileSchema = z.object({
  path: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});
export type InputFile = z.infer<typeof inputFileSchema>;

/** What was digested in this process, and the times of the file then: one whose times stand has not been written to since. */
const digested = new Map<string, InputFile & { readonly times: string }>();

/** The file as it is now; `upTo` asks for what its first bytes were when it had no more. */
export async function inputFile(path: string, upTo = Number.POSITIVE_INFINITY): Promise<InputFile> {
  const { size, mtimeMs, ctimeMs } = await stat(path);
  const bytes = Math.min(size, upTo);
  const times = `${size} ${mtimeMs} ${ctimeMs}`;
  const before = digested.get(path);
  if (before?.times === times && before.bytes === bytes) return { path, bytes, sha256: before.sha256 };
  const digest = createHash("sha256");
  if (bytes > 0)
    for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 })) digest.update(chunk);
  const file = { path, bytes, sha256: digest.digest("hex") };
  if (bytes === size) digested.set(path, { ...file, times });
  return file;
}

export const isSameFile = (one: InputFile, other: InputFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256;

/** What differs between then and now, in words; undefined where nothing does. */
export function inputChange(then: readonly InputFile[], now: readonly InputFile[]): string | undefined {
  const before = new Map(then.map((file) => [file.path, file]));
  for (const file of now) {
    const { path, bytes } = file;
    const old = before.get(path);
    if (old === undefined) return `${path} is new`;
    if (old.bytes !== bytes) return `${path} has ${bytes > old.bytes ? "grown" : "shrunk"}`;
    if (!isSameFile(old, file)) return `${path} has changed`;
    before.delete(path);
  }
  const [gone] = before.keys();
  return gone === undefined ? undefined : `${gone} is gone`;
}
