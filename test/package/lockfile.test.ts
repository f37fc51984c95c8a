// The lockfile as `npm ci` wants it: every platform's optional binaries are named, on whichever platform it was written,
// and no entry says from which registry it came.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

type Entry = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly optionalDependencies?: object;
};
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

it("has the hash of everything but binaries of other platforms that a registry did not have", () => {
  const unchecked = packages.filter(([path, entry]) => path !== "" && entry.integrity === undefined && !entry.link);
  const others =
    /^node_modules\/(@biomejs\/cli|@rolldown\/binding)-(android|darwin|win32|freebsd|openharmony|wasm32|linux)/;
  expect(unchecked.filter(([path, entry]) => !entry.optional || !others.test(path))).toEqual([]);
  const contributing = readFileSync(resolve(import.meta.dirname, "../../CONTRIBUTING.md"), "utf8");
  expect(contributing).toContain(`${unchecked.length} optional binaries`);
  // Those of the platforms that most servers have.
  const linux = unchecked.filter(([path]) => /linux-x64/.test(path));
  expect(linux).toEqual([]);
});

it("leaves the registry to whoever installs", () => {
  expect(packages.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});
