// Packages that only some people need are optional peers: they are loaded when they are used, and where one is missing
// the message has the command that installs it, with the version that package.json asks for.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";
import { messageOf, UserError } from "./errors.ts";

export class MissingPackageError extends UserError {
  override name = "MissingPackageError";
}

const manifestSchema = z.object({ peerDependencies: z.record(z.string(), z.string()) });

/** From sources and from the build alike, two folders up. */
function peerVersions(): Record<string, string> {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return manifestSchema.parse(JSON.parse(manifest)).peerDependencies;
}

/** No install scripts: onnxruntime-node's downloads CUDA libraries that nothing here uses, from outside the registry. */
function installCommand(names: readonly string[]): string {
  const versions = peerVersions();
  return `npm install --ignore-scripts ${names.map((name) => `${name}@${versions[name]}`).join(" ")}`;
}

/** What `load` loads. `purpose` is the subject of the message: "the embedded engine". */
export async function optionalPackage<Loaded>(
  names: readonly string[],
  purpose: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    throw missing(names, purpose, error);
  }
}

/** Says at once what would be missing later, after minutes of other work. */
export function requireOptional(names: readonly string[], purpose: string): void {
  try {
    const { resolve } = createRequire(import.meta.url);
    for (const name of names) resolve(name);
  } catch (error) {
    if (isNotFound(error)) throw missing(names, purpose, error);
  }
}

function missing(names: readonly string[], purpose: string, error: unknown): MissingPackageError {
  const are = names.length > 1 ? "are" : "is";
  const because = isNotFound(error) ? `${are} not installed` : `cannot be loaded (${messageOf(error)})`;
  return new MissingPackageError(
    `${purpose} needs ${names.join(" and ")}, which ${because}; run: ${installCommand(names)}`,
  );
}

const isNotFound = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND");
