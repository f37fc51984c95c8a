// Math-Verify, where a Python has it, over many pairs at once.
import { spawn } from "node:child_process";
import { once } from "node:events";

const script = `
import json, sys
from math_verify import parse, verify
print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    gold, response = json.loads(line)
    try:
        wrapped = gold if "$" in gold or "\\\\boxed" in gold else "$" + gold + "$"
        verdict = bool(verify(parse(wrapped), parse(response)))
    except Exception:
        verdict = False
    print(json.dumps(verdict), flush=True)
`;

/** A verdict for each pair, or nothing where this Python has no math_verify. */
export async function mathVerifyVerdicts(
  pairs: readonly (readonly [gold: string, response: string])[],
  python = process.env.REPERTOIRE_PYTHON || "python3",
): Promise<boolean[] | undefined> {
  const child = spawn(python, ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  // A Python that ends early no longer reads.
  child.stdin.on("error", () => {});
  const ended = Promise.race([once(child, "close"), once(child, "error").catch(() => [])]);
  child.on("error", () => {});
  child.stdin.end(pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
  await ended;
  const [ready, ...verdicts] = said.split("\n").filter((line) => line !== "");
  if (ready !== '"ready"' || verdicts.length !== pairs.length) return undefined;
  return verdicts.map((line) => line === "true");
}
