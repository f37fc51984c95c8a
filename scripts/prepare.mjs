// Makes a fresh clone runnable: checks Node, installs packages when the lockfile changed, builds when a source changed.
// Uses nothing but Node, because it runs before anything is installed. Speaks on standard error: the output is the command's.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const installStamp = join(root, "node_modules", ".repertoire-lockfile");
const buildStamp = join(root, "dist", ".built");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Repertoire needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

function run(command, args, purpose) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (result.status !== 0) {
    console.error(`${purpose} failed (${command} ${args.join(" ")}); its output is above.`);
    process.exit(result.status ?? 1);
  }
}

/** A folder's own time is when something was last added to it or deleted. */
function newestChange(folder) {
  let newest = statSync(folder).mtimeMs;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** A build writes every file anew: what is older is of a source that is gone. */
function removeOlder(folder, time) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOlder(path, time);
    else if (statSync(path).mtimeMs < time) rmSync(path);
  }
}

const lockfile = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (!existsSync(installStamp) || readFileSync(installStamp, "utf8") !== lockfile) {
  console.error("Installing packages (once) …");
  // Not `npm ci`, which works too: it deletes what is installed and fetches all of it again.
  // No install scripts: nothing here needs one, and onnxruntime-node's downloads CUDA libraries that nothing uses.
  const flags = ["--no-save", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error"];
  run("npm", ["install", ...flags], "Installing packages");
  writeFileSync(installStamp, lockfile);
}

// npm links the commands of dependencies but not the package's own: with this, `npx repertoire` is the clone's.
const command = join(root, "node_modules", ".bin", process.platform === "win32" ? "repertoire.cmd" : "repertoire");
if (!existsSync(command)) {
  if (process.platform === "win32") writeFileSync(command, '@node "%~dp0\\..\\..\\scripts\\repertoire.mjs" %*\r\n');
  else symlinkSync("../../scripts/repertoire.mjs", command);
}

const configuration = Math.max(
  ...["tsconfig.json", "tsconfig.build.json", "scripts/build-client.mjs"].map((f) => statSync(join(root, f)).mtimeMs),
);
const built = existsSync(buildStamp) ? statSync(buildStamp).mtimeMs : 0;
if (Math.max(newestChange(join(root, "src")), configuration) > built) {
  console.error("Building …");
  const started = new Date();
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], "Building");
  run(process.execPath, [join(root, "scripts/build-client.mjs")], "Bundling the dashboard's client");
  // A second of grace: some file systems round.
  removeOlder(join(root, "dist"), started.getTime() - 1000);
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, started.toISOString());
  // A source that changed during the build is not in it.
  utimesSync(buildStamp, started, started);
}
