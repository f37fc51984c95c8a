// One of many processes that want the same lock. Reads lines: `take <at ms> <file>` tries at that moment and says `took` or
// `refused <why>`; `release` gives the lock back.
import { createInterface } from "node:readline";
import { takeLock } from "../../dist/runs/writer-lock.js";

let held;
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [order, at, ...file] = line.split(" ");
  if (order === "release") {
    await held?.release();
    held = undefined;
    console.log("released");
    continue;
  }
  while (Date.now() < Number(at));
  try {
    held = await takeLock(file.join(" "), "it");
    console.log("took");
  } catch (error) {
    console.log(`refused ${error.name}: ${error.message}`);
  }
}
await held?.release();
