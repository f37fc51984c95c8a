// What an analysis was made from, so that it notices when its inputs have grown or changed: the size of every file and a
// digest of its two ends, which says as much as a digest of all of it for logs that grow, and costs nothing.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { z } from "zod";

export const inputFileSchema = z.object({ path: z.string(), bytes: z.number(), ends: z.string() });
export type InputFile = z.infer<typeof inputFileSchema>;

const endBytes = 64 << 10;

/** The file as it is now; `upTo` asks for what its first bytes were when it had no more. */
export async function inputFile(path: string, upTo = Number.POSITIVE_INFINITY): Promise<InputFile> {
  const file = await open(path, "r");
  try {
    const size = Math.min((await file.stat()).size, upTo);
    const digest = createHash("sha256");
    const places = size <= 2 * endBytes ? [0] : [0, size - endBytes];
    const piece = Buffer.alloc(places.length === 1 ? size : endBytes);
    for (const place of places) {
      const { bytesRead } = await file.read(piece, 0, piece.length, place);
      digest.update(piece.subarray(0, bytesRead));
    }
    return { path, bytes: size, ends: digest.digest("hex").slice(0, 16) };
  } finally {
    await file.close();
  }
}

export const isSameFile = (one: InputFile, other: InputFile): boolean =>
  one.bytes === other.bytes && one.ends === other.ends;

/** What differs between then and now, in words; undefined where nothing does. */
export function inputChange(then: readonly InputFile[], now: readonly InputFile[]): string | undefined {
  const before = new Map(then.map((file) => [file.path, file]));
  for (const { path, bytes, ends } of now) {
    const old = before.get(path);
    if (old === undefined) return `${path} is new`;
    if (old.bytes !== bytes) return `${path} has ${bytes > old.bytes ? "grown" : "shrunk"}`;
    if (old.ends !== ends) return `${path} has changed`;
    before.delete(path);
  }
  const [gone] = before.keys();
  return gone === undefined ? undefined : `${gone} is gone`;
}
