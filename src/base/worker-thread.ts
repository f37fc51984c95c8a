// Worker threads. Sources that run unbuilt (tests, benchmarks) start the build's copy, because a worker thread starts from
// plain JavaScript.
import { Worker, type WorkerOptions } from "node:worker_threads";

/** `startWorker(import.meta.url, "./worker.ts")` */
export function startWorker(importer: string, relative: string, options?: WorkerOptions): Worker {
  const source = new URL(relative, importer).href;
  const built = source.replace(/\/src\/(?!.*\/src\/)/, "/dist/").replace(/\.ts$/, ".js");
  // Flags of the main program, such as --input-type or a loader, are not meant for these files, and some would break them.
  return new Worker(new URL(built), { ...options, execArgv: [] });
}
