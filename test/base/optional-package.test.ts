import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { MissingPackageError, optionalPackage, requireOptional } from "../../src/base/optional-package.ts";

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));

describe("optional packages", () => {
  it("what is there is loaded", async () => {
    expect(await optionalPackage(["onnxruntime-node"], "this", () => import("node:path"))).toHaveProperty("join");
  });

  it("a missing one is named with the command that installs it", async () => {
    const name: string = "no-such-package";
    const failed = optionalPackage(["@resvg/resvg-wasm", "dejavu-fonts-ttf"], "figures as PNG", () => import(name));
    await expect(failed).rejects.toBeInstanceOf(MissingPackageError);
    await expect(failed).rejects.toThrow(
      /^figures as PNG needs @resvg\/resvg-wasm and dejavu-fonts-ttf, which are not installed; run: npm install --ignore-scripts @resvg\/resvg-wasm@\d+\.\d+\.\d+ dejavu-fonts-ttf@\d+\.\d+\.\d+$/,
    );
  });

  it("a missing one is named before there is anything to load", () => {
    expect(() => requireOptional(["onnxruntime-node"], "this")).not.toThrow();
    expect(() => requireOptional(["no-such-package"], "this")).toThrow(
      /^this needs no-such-package, which is not installed; run: npm install/,
    );
  });

  it("one that does not load says why", async () => {
    const load = () => Promise.reject(new Error("no binary for plan9"));
    await expect(optionalPackage(["onnxruntime-node"], "the embedded engine", load)).rejects.toThrow(
      "needs onnxruntime-node, which cannot be loaded (no binary for plan9); run: npm install",
    );
  });
});

describe("package.json", () => {
  it("asks users for the versions that are tested here, and only if they want them", () => {
    const peers = Object.entries<string>(manifest.peerDependencies);
    expect(peers.length).toBeGreaterThan(3);
    for (const [name, version] of peers) {
      expect(manifest.devDependencies[name]).toBe(version);
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
      expect(manifest.dependencies[name]).toBeUndefined();
    }
  });

  it("pins every version and denies every install script", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
    const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8"));
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect(scripted).toContain("onnxruntime-node");
    expect(scripted.filter((name) => manifest.allowScripts[name] !== false)).toEqual([]);
  });
});
