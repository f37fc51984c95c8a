// `npm run data`: fetches the public files that some tests and benchmarks read and that are not part of the project, each at
// a fixed revision and checked against its digest. What is there is left alone, what was cut off is resumed.
//   npm run data                      into shared/data beside the clone, where the tests look
//   npm run data -- --out <folder>    elsewhere; then REPERTOIRE_DATA=<folder> npm test
//   npm run data -- --spans           and the traces that the span classifier learned from: 680 files, 198 MB
//   npm run data -- --list            what there is, from where, under which license
// Uses nothing but Node, so that it runs before anything is installed.
import { createHash } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const github = process.env.REPERTOIRE_GITHUB_RAW ?? "https://raw.githubusercontent.com";
const olymMath = "RUCAIBox/OlymMATH/94e19ffb8b7b7abe0f10f0015620c2e1eb57bf67";
const matharena = "eth-sri/matharena/96440b20d0b90bb504edb7ee43c0e1e46567569f";
const nemoSkills = "NVIDIA-NeMo/Skills/8b18f3992854bcb668095228a146e214c567b370";

export const publicFiles = [
  {
    path: "benchmarks/OlymMATH-EN-EASY.jsonl",
    from: `${olymMath}/data/OlymMATH-EN-EASY.jsonl`,
    license: "MIT",
    sha256: "1d96903b3017abd80388005ca9ad68c8074540ad6f41ee7cd92ac79cbcf5bc0a",
  },
  {
    path: "benchmarks/OlymMATH-EN-HARD.jsonl",
    from: `${olymMath}/data/OlymMATH-EN-HARD.jsonl`,
    license: "MIT",
    sha256: "f43b48f5569a5e6d3068e110f8ce6c5ec641ba4d6ba06d9a91a1c944526b7be4",
  },
  {
    path: "benchmarks/aime25.jsonl",
    from: `${nemoSkills}/nemo_skills/dataset/aime25/test.txt`,
    license: "Apache-2.0",
    sha256: "b672f9c6660b68dd42f5fc705b17405f24eaa9991c98991d63463c6b683468a8",
  },
  {
    path: "benchmarks/hmmt_feb_2025.jsonl",
    from: `${matharena}/data/hmmt/hmmt_feb_2025/answers.csv`,
    assemble: problemsOfCompetition,
    license: "MIT",
    sha256: "86825dc3a44cf9fd5fd62c5d6a4ab4afeb8feba1ae47ded20eea5663ec733524",
  },
];

/** A competition as MathArena kept it: answers in a table, each problem in a file of its own. One line a problem. */
async function problemsOfCompetition(answers, from) {
  const rows = [...answers.matchAll(/^(\d+),("?)(.*)\2\r?$/gm)];
  const folder = from.slice(0, from.lastIndexOf("/"));
  const lines = rows.map(async ([, id, quote, written]) => {
    const problem = (await (await reply(`${folder}/problems/${id}.tex`)).text()).trim();
    const answer = quote === "" ? written : written.replaceAll('""', '"');
    return `{"id": ${id}, "problem": ${JSON.stringify(problem)}, "answer": ${JSON.stringify(answer)}}\n`;
  });
  return (await Promise.all(lines)).join("");
}

/** What some tests read as well and no address has in this form. */
const notFetched = [
  "mathverify/cases.jsonl: the test cases of huggingface/Math-Verify (Apache-2.0), a line a case (CONTRIBUTING.md)",
  "spans/labelled_spans.jsonl, spans/more_spans.jsonl, traces/traces.jsonl: spans and traces that some tests read; `npm run span-classifier` makes the spans anew from what --spans fetches",
];

/** The traces whose spans `data/span-labels.tsv` names by their digests. */
function spanSources() {
  const listed = JSON.parse(readFileSync(new URL("../data/span-sources.json", import.meta.url), "utf8"));
  return listed.flatMap(({ repository, commit, license, files }) =>
    Object.entries(files).map(([path, sha256]) => ({
      ...{ path: `span-sources/${repository}/${path}`, from: `${repository}/${commit}/${path}`, license, sha256 },
    })),
  );
}

const digest = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const sizeOf = (path) => (existsSync(path) ? statSync(path).size : 0);

async function reply(from, headers = {}) {
  const url = `${github}/${from}`;
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(120_000) });
  // 416: there is nothing behind what we have.
  if (!response.ok && response.status !== 416) throw new Error(`${url} answered ${response.status}`);
  return response;
}

/** Downloads into `<path>.part`, behind what an earlier try left there, and renames when the digest is right. */
async function fetchFile({ from, sha256, assemble }, path) {
  const part = `${path}.part`;
  mkdirSync(dirname(path), { recursive: true });
  if (assemble !== undefined) writeFileSync(part, await assemble(await (await reply(from)).text(), from));
  else {
    const have = sizeOf(part);
    const response = await reply(from, have > 0 ? { range: `bytes=${have}-` } : {});
    // 200 to a request for the rest is the whole file.
    const flags = response.status === 206 ? "a" : "w";
    if (response.status !== 416) await pipeline(Readable.fromWeb(response.body), createWriteStream(part, { flags }));
  }
  const found = digest(part);
  if (found === sha256) return renameSync(part, path);
  rmSync(part);
  throw new Error(`${github}/${from} has the digest ${found}, not ${sha256}; it was deleted, try again`);
}

async function main() {
  const { values } = parseArgs({
    options: { out: { type: "string" }, list: { type: "boolean" }, spans: { type: "boolean" } },
  });
  const files = [...publicFiles, ...(values.spans ? spanSources() : [])];
  const usual = process.env.REPERTOIRE_DATA ?? join(dirname(fileURLToPath(import.meta.url)), "../../shared/data");
  const out = resolve(values.out ?? usual);
  if (values.list) {
    for (const { path, from, license } of files) console.log(`${path}  ${license}  ${github}/${from}`);
    for (const line of notFetched) console.log(`not fetched: ${line}`);
    return 0;
  }
  let failed = 0;
  for (const file of files) {
    const path = join(out, file.path);
    try {
      if (existsSync(path) && digest(path) === file.sha256) console.log(`there     ${file.path}`);
      else if (existsSync(path)) throw new Error("is there and is another file; move it away to have it fetched");
      else {
        await fetchFile(file, path);
        console.log(`fetched   ${file.path} (${file.license})`);
      }
    } catch (error) {
      failed += 1;
      const because = error.cause === undefined ? error.message : `${error.message}: ${error.cause.message}`;
      console.error(`failed    ${file.path}: ${because}`);
    }
  }
  for (const line of notFetched) console.log(`not fetched ${line}`);
  if (failed > 0)
    console.error(
      `${failed} of ${files.length} could not be fetched; the same command resumes. Tests without them are skipped.`,
    );
  else console.log(`In ${out}. The tests look in shared/data beside the clone, or where REPERTOIRE_DATA says.`);
  return failed > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
