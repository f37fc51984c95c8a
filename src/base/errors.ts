// Errors named for the boundary they crossed. Each message says what was wrong, what was given and what to do.
// Anything that is not one of these is a bug of ours and keeps its stack.

/** What somebody gave us was wrong: the message is for them, without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

/** A flag, an option or a configuration key is wrong. */
export class ConfigurationError extends UserError {
  override name = "ConfigurationError";
}

/** Bytes that entered from a file or a stream do not have the form they should. */
export class DataError extends UserError {
  override name = "DataError";
}

/** An engine was asked for what it cannot do, or its numbers broke. */
export class EngineError extends UserError {
  override name = "EngineError";
}

/** A run folder is missing, broken, locked, or would be overwritten. */
export class RunFolderError extends UserError {
  override name = "RunFolderError";
}

/** A server of somebody else did not answer as its protocol says. */
export class RemoteServiceError extends UserError {
  override name = "RemoteServiceError";
}

/** `unknown puzzle "brigdes"; expected one of: bridges, flowfree, galaxies, hitori, nurikabe, pattern, slitherlink, undead` */
export function unknownName(kind: string, given: string, known: readonly string[]): ConfigurationError {
  return new ConfigurationError(`unknown ${kind} ${JSON.stringify(given)}; expected one of: ${known.join(", ")}`);
}

const problemsSaid = 4;

/** What a schema library's error tells, without the library: this file is read where there is none. */
type SchemaFault = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };

/** What a schema found wrong, on one line: where and what, the first few of it. */
export function schemaProblems({ issues }: SchemaFault): string {
  const said = issues.slice(0, problemsSaid).map(({ path, message }) => {
    const what = message.replace(/\s*\n\s*/g, "; ");
    return path.length === 0 ? what : `${path.join(".")}: ${what}`;
  });
  const more = issues.length - said.length;
  return `${said.join("; ")}${more > 0 ? ` (and ${more} more)` : ""}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
