// Names of servers that cannot be looked up. Nobody answers to a misspelled one, however long one waits; a server that has
// answered before is coming back, and its name with it.

/** What the system says of such names, and what that means. */
export const lookupFailures = {
  ENOTFOUND: "is an unknown host name; check the address and the network",
  EAI_AGAIN: "could not be looked up; check the address and the network",
} as const;

/** A resolver that asks for patience gets this much. */
const briefSeconds = 5;

/** Of the whole process: whoever opens a second connection after a restart knows what the first one knew. */
const answered = new Set<string>();

export function rememberHost(url: string): void {
  answered.add(new URL(url).hostname);
}

/** What to say instead of asking again, or nothing where that may help. */
export function hopelessLookup(error: unknown, waitedSeconds: number): string | undefined {
  const { code, hostname } = error as { readonly code?: string; readonly hostname?: string };
  if ((code !== "ENOTFOUND" && code !== "EAI_AGAIN") || hostname === undefined || answered.has(hostname))
    return undefined;
  if (code === "EAI_AGAIN" && waitedSeconds < briefSeconds) return undefined;
  return `${hostname} ${lookupFailures[code]}`;
}
