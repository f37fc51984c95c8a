// How a command ends that could not do its work: one line that says what was wrong, what was given and what to do.
// The file system and the network fail in ways that are nobody's bug; anything else is ours, and keeps its stack.
import { messageOf, UserError } from "../base/errors.ts";
import { lookupFailures } from "../base/http/host-lookup.ts";
import { StoppedByHand, stoppedExitCode } from "./interruption.ts";
import { stopBars } from "./progress.ts";

/** What to do about a code of the system, said of the path or address that the error names. */
const remedies: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check the path",
  EACCES: "cannot be read or written by you; choose another place, or change its permissions",
  EPERM: "cannot be changed by you; choose another place, or change its permissions",
  EROFS: "is on a read-only disk; choose another place",
  ENOSPC: "is on a full disk; make room, then run the same command again",
  EDQUOT: "is over your quota; make room, then run the same command again",
  ENOTDIR: "is, or is inside, a file where a folder is needed; choose another path, or move the file",
  EISDIR: "is a folder where a file is needed; give a file",
  EEXIST: "exists already; choose another place, or remove it",
  ENOTEMPTY: "is a folder that is not empty; choose another place, or remove it",
  ENAMETOOLONG: "is too long a name; choose a shorter one",
  ELOOP: "is a link that leads back to itself; fix the link",
  EXDEV: "is on another disk; choose a place on the same one",
  EBUSY: "is in use by another program; stop it first",
  ETXTBSY: "is in use by another program; stop it first",
  EFBIG: "is larger than this disk allows; choose another place",
  EIO: "could not be read or written: the disk reports an error; check it, or choose another place",
  EMFILE: "could not be opened: too many files are open; raise the limit (ulimit -n)",
  ENFILE: "could not be opened: too many files are open on this machine; stop other programs first",
  EADDRINUSE: "is in use by another program; give another --port, or stop that program",
  EADDRNOTAVAIL: "is not an address of this machine; give another --host",
  ECONNREFUSED: "refused the connection; is the server running, and is the address right?",
  ECONNRESET: "closed the connection; is the server still running? Run the same command again",
  EPIPE: "closed the connection; is the server still running? Run the same command again",
  ...lookupFailures,
  ETIMEDOUT: "did not answer in time; check the address and the network",
  EHOSTUNREACH: "cannot be reached; check the address and the network",
  ENETUNREACH: "cannot be reached; check the address and the network",
  UND_ERR_CONNECT_TIMEOUT: "did not answer in time; check the address and the network",
  UND_ERR_HEADERS_TIMEOUT: "did not answer in time; is the server still running?",
  UND_ERR_BODY_TIMEOUT: "stopped in the middle of its answer; is the server still running?",
  UND_ERR_SOCKET: "closed the connection; is the server still running?",
};

const noFolders = "cannot be created there; choose another place";
/** Codes that mean something else where something was to be made or opened. */
const unmade: Readonly<Record<string, string>> = {
  "ENOENT mkdir": noFolders,
  "ENOENT mkdtemp": noFolders,
  "ENOENT open": "does not exist, or cannot be created there; check the path",
  "EEXIST mkdir": remedies.ENOTDIR,
  "EACCES listen": "is a port that only an administrator may open; give a --port of 1024 or more",
};

type Failure =
  | { readonly kind: "stopped" }
  | { readonly kind: "explained"; readonly line: string }
  | { readonly kind: "bug" };

export function failureOf(error: unknown): Failure {
  const chain = causesOf(error);
  if (chain.some((cause) => cause instanceof StoppedByHand)) return { kind: "stopped" };
  if (error instanceof UserError) return { kind: "explained", line: `${error.name}: ${error.message}` };
  for (const cause of chain) {
    const line = cause instanceof UserError ? `${cause.name}: ${cause.message}` : systemLine(cause);
    if (line !== undefined) return { kind: "explained", line };
  }
  return { kind: "bug" };
}

/** Prints how the command ended and says with what exit code. */
export function reportFailure(error: unknown, { verbose }: { readonly verbose: boolean }): number {
  stopBars();
  const failure = failureOf(error);
  if (failure.kind === "stopped") return stoppedExitCode();
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (failure.kind === "explained") {
    console.error(failure.line);
    if (verbose) console.error(stack);
  } else console.error(`This is a bug in Repertoire: please report it with the command and these lines.\n${stack}`);
  return 1;
}

type SystemError = Error & {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
};

function systemLine(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (!(error instanceof Error) || typeof code !== "string" || !(code in remedies)) return undefined;
  const { syscall, path, dest, address, hostname, port } = error as SystemError;
  const host = address ?? hostname;
  // What is copied is not what is full.
  const written = ["ENOSPC", "EDQUOT", "EROFS", "EFBIG"].includes(code) ? (dest ?? path) : path;
  const place = written ?? (host === undefined ? undefined : port === undefined ? host : `${host}:${port}`);
  const remedy = unmade[`${code} ${syscall}`] ?? remedies[code];
  // A handle that is written to does not say of which file; the system's own words name the code.
  return place === undefined ? `${messageOf(error)}: what was asked for ${remedy}` : `${code}: ${place} ${remedy}`;
}

/** The error, what caused it, and what an error of several attempts (both addresses of a host) was made of. */
function causesOf(error: unknown, seen = new Set<unknown>()): unknown[] {
  if (!(error instanceof Error) || seen.has(error)) return [];
  seen.add(error);
  const several = error instanceof AggregateError ? error.errors : [];
  return [...several.flatMap((one) => causesOf(one, seen)), error, ...causesOf(error.cause, seen)];
}
