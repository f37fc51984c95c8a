// Which process this is, so that another can tell whether it still lives. A process id alone is used again, by another
// process or after a restart by the very same command; host, boot and start time make it one process for ever.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

export const processIdentitySchema = z.object({
  host: z.string(),
  /** Changes with every start of the machine; empty where the system does not tell. */
  boot: z.string(),
  /** Processes of another pid namespace (another container) cannot be seen from here; empty where there are none. */
  namespace: z.string(),
  pid: z.int().positive(),
  /** Empty where the system does not tell. */
  started: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

export function ownIdentity(): ProcessIdentity {
  return { ...surroundings(), pid: process.pid, started: startOf(process.pid) ?? "" };
}

/** `elsewhere`: on another host or in another container, where processes cannot be looked up. */
export function processStatus(identity: ProcessIdentity): "running" | "gone" | "elsewhere" {
  const { host, boot, namespace } = surroundings();
  if (identity.host !== host) return "elsewhere";
  if (identity.boot !== boot) return "gone";
  if (identity.namespace !== namespace) return "elsewhere";
  const started = startOf(identity.pid);
  if (started === undefined) return "gone";
  return started === "" || identity.started === "" || started === identity.started ? "running" : "gone";
}

function surroundings(): Pick<ProcessIdentity, "host" | "boot" | "namespace"> {
  return {
    host: hostname(),
    boot: told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: told(() => readlinkSync("/proc/self/ns/pid")),
  };
}

/** When a process started, "" where that cannot be learned; undefined when no such process runs. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === "") return "";
  // The name of the command stands in brackets and may hold anything; what follows the last one is state, parent, …
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Ended, and nobody waited for it; while it dies, its other threads may still be writing.
  const ended = (fields[0] === "Z" || fields[0] === "X") && Number(fields[17]) <= 1;
  return ended ? undefined : fields[19];
}

function told(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
