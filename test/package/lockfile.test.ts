// The lockfile as `npm ci` wants it: every platform's optional binaries are named, on whichever platform it was written,
// and no entry says from which registry it came.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

type Entry = { readonly version?: string; readonly resolved?: string; readonly optionalDependencies?: object };
const lockfile = readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8");
const packages = Object.entries<Entry>(JSON.parse(lockfile).packages);
const installed = new Set(packages.map(([path]) => path));

it("names every optional binary of every package", () => {
  const missing = packages.flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !installed.has(`node_modules/${name}`) && !installed.has(`${path}/node_modules/${name}`),
    ),
  );
  expect(packages.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

it("leaves the registry to whoever installs", () => {
  expect(packages.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});
