// Bundles the dashboard's web client into dist/dashboard/client: one script, one worker, one style sheet, all with hashed
// names so that browsers may keep them for ever, the script of a page's workers, and two pages that load them: one for the
// server, one that needs none and may be opened from a disk. Nothing is inline, so a strict content policy holds.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const client = join(root, "src", "dashboard", "client");
const out = join(root, "dist", "dashboard", "client");

/** As many labels as a taxonomy may have; their colors are set when a run's is known, the paper's stand until then. */
const mostLabels = 20;

/** Style sheets take the colors of labels and checkpoints from where reports have them: `@import "inks.css"`. */
const inks = {
  name: "inks",
  setup(bundle) {
    bundle.onResolve({ filter: /^inks\.css$/ }, () => ({ path: "inks.css", namespace: "inks" }));
    bundle.onLoad({ filter: /.*/, namespace: "inks" }, async () => {
      const { palette, paperTaxonomy } = await bundled(`
        export { palette } from "./src/drawing/palette.ts";
        export { paperTaxonomy } from "./src/rollouts/paper-taxonomy.ts";`);
      const named = Object.entries(palette());
      const places = paperTaxonomy.labels.map(({ color }, i) => [`label-${i}`, color]);
      const variables = [...named, ...places].map(
        ([name, { light, dark }]) => `--${name}: light-dark(${light}, ${dark});`,
      );
      const names = [...named.map(([name]) => name), ...Array.from({ length: mostLabels }, (_, i) => `label-${i}`)];
      const classes = names.map(
        (name) =>
          `.ink-${name} { --ink: var(--${name}); } .fill-${name} { fill: var(--${name}); } .line-${name} { stroke: var(--${name}); }`,
      );
      return { contents: `:root { ${variables.join(" ")} }\n${classes.join("\n")}`, loader: "css" };
    });
  },
};

/** What some sources export, at build time. */
async function bundled(contents) {
  const stdin = { contents, resolveDir: root, loader: "ts" };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** The whole page without its contents. Policies are added by whoever serves or exports it. */
function page({ assets, script, worker, style, head = "" }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Repertoire</title>
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}${style}">
${head}<script defer src="${assets}${script}" data-puzzle-worker="${assets}${worker}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript. The report that a run leaves behind does not: open report/index.html in its folder.</noscript>
</body>
</html>
`;
}

/** Four spans of a trace: plan, compute, check, backtrack. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#14171c"/><path d="M3 3h2v10H3z" fill="#7c9dfc"/><path d="M6 3h3v10H6z" fill="#9cdcfc"/><path d="M10 3h1v10h-1z" fill="#59dcb0"/><path d="M12 3h2v10h-2z" fill="#f76d2e"/></svg>`;

/** Node's modules for a tab: those that are a file of their own, and one for the rest. */
const system = join(root, "src", "dashboard", "page", "system");
const ownFiles = new Map(
  Object.entries({
    fs: "fs.ts",
    "fs/promises": "fs-promises.ts",
    crypto: "crypto.ts",
    zlib: "zlib.ts",
    worker_threads: "worker_threads.ts",
  }),
);
const tab = {
  name: "tab",
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path }) => ({
      path:
        path === "node:path"
          ? join(root, "node_modules", "path-browserify", "index.js")
          : join(system, ownFiles.get(path.slice("node:".length)) ?? "rest.ts"),
    }));
  },
};

/** It changes with the classifier, which whoever writes a page puts in. */
const classifier = readFileSync(join(root, "models", "span-classifier", "weights.bin.gz"));
const labName = ({ text }) =>
  `lab-${createHash("sha256").update(text).update(classifier).digest("hex").slice(0, 8)}.js`;

/** The script of the workers that hold a run in a page: the server's own code over files in memory. */
export async function buildLab() {
  return build({
    entryPoints: { lab: join(root, "src", "dashboard", "page", "lab-worker.ts") },
    bundle: true,
    format: "iife",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    platform: "browser",
    minify: true,
    legalComments: "none",
    plugins: [tab, english],
    inject: [join(system, "globals.ts")],
    define: {
      // As if everything were one file of a package that lies at the root.
      "import.meta.url": '"file:///repertoire/src/lab.ts"',
    },
    // Judges and larger models are no part of a page.
    external: ["onnxruntime-node", "@huggingface/tokenizers"],
    metafile: true,
    write: false,
    outdir: join(out, "assets"),
    logLevel: "warning",
  });
}

/** Of the many languages that zod speaks, the one it is asked in. */
const english = {
  name: "english",
  setup(bundle) {
    bundle.onResolve({ filter: /locales\/index\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "../locales/index.js"),
      namespace: "english",
    }));
    bundle.onLoad({ filter: /.*/, namespace: "english" }, ({ path }) => ({
      contents: `export { default as en } from "./en.js";`,
      resolveDir: dirname(path),
    }));
  },
};

export async function buildClient() {
  const result = await build({
    entryPoints: { dashboard: join(client, "main.tsx"), "puzzle-worker": join(client, "puzzle-worker.ts") },
    outdir: join(out, "assets"),
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    // A module script is refused when the page is opened from disk.
    format: "iife",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    minify: true,
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [inks],
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets"), { recursive: true });
  for (const file of result.outputFiles) writeFileSync(file.path, file.contents);
  writeFileSync(join(out, "assets", "icon.svg"), icon);
  const named = (start, end) =>
    result.outputFiles.map((file) => basename(file.path)).find((name) => name.startsWith(start) && name.endsWith(end));
  const parts = {
    script: named("dashboard", ".js"),
    worker: named("puzzle-worker", ".js"),
    style: named("dashboard", ".css"),
  };
  writeFileSync(join(out, "index.html"), page({ assets: "/assets/", ...parts }));
  const lab = await buildLab();
  const [script] = lab.outputFiles;
  // A function, so that the page has its text.
  writeFileSync(join(out, "assets", labName(script)), `function repertoireLab(){${script.text}}\n`);
  const head = `<meta name="repertoire-lab" content="assets/${labName(script)}">\n`;
  writeFileSync(join(out, "page.html"), page({ assets: "assets/", ...parts, head }));
  return result.metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildClient();
  // The page that is published, by the command that anybody can give.
  const site = join(root, "dist", "site");
  rmSync(site, { recursive: true, force: true });
  const { writePage } = await import("../dist/dashboard/page/write-page.js");
  await writePage({
    out: site,
    client: out,
    run: { path: join(root, "examples", "miniature.zip"), name: "miniature" },
  });
}
