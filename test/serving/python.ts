// Running the Python plugins, where a Python with what they need is found: REPERTOIRE_PYTHON, else python3.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
export const integrations = fileURLToPath(new URL("../../integrations", import.meta.url));
const environment = {
  ...process.env,
  REPERTOIRE_COMMAND: `"${process.execPath}" "${fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))}"`,
  PYTHONPATH: ["rewards", "trl", "verl"].map((folder) => `${integrations}/${folder}`).join(":"),
  PYTHONDONTWRITEBYTECODE: "1",
  HF_HUB_OFFLINE: "1",
};

/** Why tests that need these modules cannot run here; undefined when they can. */
export function missingModules(...modules: readonly string[]): string | undefined {
  const found = (name: string) => `__import__("importlib.util").util.find_spec(${JSON.stringify(name)})`;
  const script = `print([m for m, f in zip(${JSON.stringify(modules)}, [${modules.map(found).join(",")}]) if f is None])`;
  const result = spawnSync(python, ["-c", script], { encoding: "utf8" });
  if (result.status !== 0) return `${python} does not run; set REPERTOIRE_PYTHON`;
  const missing = result.stdout.trim();
  return missing === "[]" ? undefined : `${python} has no ${missing}; set REPERTOIRE_PYTHON to one that has`;
}

/** What the program prints, one JSON record a line; rejects with what it complained about. */
export function runPython(args: readonly string[], input = "", sources: readonly string[] = []): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    // What is already on the path stays: some peers need more than their own sources.
    const path = [
      environment.PYTHONPATH,
      `${integrations}/checks`,
      `${integrations}/${args[0].split("/")[0]}`,
      ...sources,
    ];
    const env =
      sources.length === 0
        ? environment
        : { ...environment, PYTHONPATH: [...path, process.env.PYTHONPATH ?? ""].join(":") };
    const child = spawn(python, args, { env, cwd: integrations });
    let output = "";
    let complaints = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      complaints += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`${args[0]} ended with ${code}:\n${complaints.slice(-3_000)}`));
      const lines = output
        .split("\n")
        .filter((line) => line.startsWith("{") && line.endsWith("}") && line.includes('"'));
      resolve(lines.flatMap((line) => parsed(line)));
    });
    child.stdin.end(input);
  });
}

/** Trainers print Python dictionaries between our records. */
function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
