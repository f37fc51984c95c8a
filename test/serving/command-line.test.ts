// The command as it is deployed: a process that serves, is told to stop in the middle of its work, and answers first.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./serve-process.mjs", import.meta.url));
const token = "a-secret-for-this-test-only";

/** `repertoire serve rewards`, from the build: its address, what it wrote, and how it ended. */
async function started(args: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [program, "rewards", ...args], {
    env: { ...process.env, ...environment },
  });
  let written = "";
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const url = await new Promise<string | undefined>((resolve) => {
    const hear = (chunk: Buffer) => {
      written += chunk;
      const address = /http:\/\/[^ ]+/.exec(written);
      if (address !== null) resolve(address[0]);
    };
    child.stderr?.on("data", hear);
    child.stdout?.on("data", hear);
    child.on("exit", () => resolve(undefined));
  });
  return { child, url, ended, written: () => written };
}

describe("repertoire serve rewards", () => {
  it("answers what it accepted when it is told to stop, ends cleanly, and never writes the token", async () => {
    const server = await started(["--host", "0.0.0.0", "--port", "0"], { REPERTOIRE_TOKEN: token });
    const address = server.url?.replace("0.0.0.0", "127.0.0.1");
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify({
      items: Array.from({ length: 500 }, (_, i) => ({ ground_truth: `${i % 7}`, solution_str: `\\boxed{${i % 5}}` })),
    });
    const asked = Array.from({ length: 3 }, () => fetch(`${address}/score`, { method: "POST", headers, body }));
    while (!(await (await fetch(`${address}/metrics`, { headers })).text()).includes("held_rollouts 1500"));
    server.child.kill("SIGTERM");
    for (const reply of await Promise.all(asked)) {
      const { scores } = (await reply.json()) as { readonly scores: readonly { readonly exact: number }[] };
      expect(scores.map(({ exact }) => exact)).toEqual(scores.map((_, i) => (i % 7 === i % 5 ? 1 : 0)));
      expect(scores).toHaveLength(500);
    }
    expect(await server.ended).toBe(0);
    expect(server.written()).toContain("draining");
    expect(server.written()).not.toContain(token);
  });

  it("refuses to be reachable without a token", async () => {
    const server = await started(["--host", "0.0.0.0", "--port", "0"], { REPERTOIRE_TOKEN: "" });
    expect(server.url).toBeUndefined();
    expect(await server.ended).not.toBe(0);
    expect(server.written()).toContain("--token-file");
  });
});
