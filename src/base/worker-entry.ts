// Where a worker thread's compiled file lies. Sources that run unbuilt (tests, benchmarks) use the build's copy,
// because a worker thread starts from plain JavaScript.

/** `workerEntry(import.meta.url, "./worker.ts")` */
export function workerEntry(importer: string, relative: string): URL {
  const source = new URL(relative, importer).href;
  return new URL(source.replace(/\/src\/(?!.*\/src\/)/, "/dist/").replace(/\.ts$/, ".js"));
}
