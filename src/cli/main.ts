#!/usr/bin/env node
// The command `repertoire`, as a process: what it prints is safe to print, and how it ends is said.
import { programFor } from "./commands.ts";
import { reportFailure } from "./failure.ts";
import { guardConsole, hideSecrets } from "./safe-output.ts";

// Taken out before commander looks, so that it may stand anywhere.
const given = process.argv.slice(2);
const verbose = given.includes("--verbose");

async function main(words: readonly string[]): Promise<void> {
  const { program, args } = await programFor(words);
  await program.parseAsync([...args], { from: "user" });
}

guardConsole();
// Addresses come from the environment, too: HF_ENDPOINT, HTTPS_PROXY.
hideSecrets([...given, ...Object.values(process.env).map(String)]);

for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // `repertoire … | head` closes our output early; that is how it is used, not a failure.
    if (error.code === "EPIPE" && stream === process.stdout) process.exit(0);
    // A terminal that was closed hears nothing more, while what is under way is still saved.
    if (error.code === "EIO" && stream.isTTY) return;
    throw error;
  });

// What no promise carries: an error event that nobody listens to, a promise that nobody awaits.
process.on("uncaughtException", (error) => process.exit(reportFailure(error, { verbose })));

let done = false;

main(given.filter((argument) => argument !== "--verbose"))
  .catch((error: unknown) => {
    process.exitCode = reportFailure(error, { verbose });
  })
  .finally(() => {
    done = true;
  });

// A command that waits for what nothing can bring any more would end here as if it had succeeded.
process.once("beforeExit", () => {
  if (done) return;
  const lost = new Error("the command ended before its work was done: nothing was left that it could wait for");
  process.exitCode = reportFailure(lost, { verbose });
});
