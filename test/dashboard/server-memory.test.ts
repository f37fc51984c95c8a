// What keeps the server's memory bounded, and how its other thread fails.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RolloutsReply } from "../../src/dashboard/api.ts";
import { IndexingThread } from "../../src/dashboard/indexing-thread.ts";
import { terseResponse } from "../report/invented-run.ts";
import { ServedFolder, writeRun } from "./served-folder.ts";

describe("what is kept", () => {
  it("does not grow with the number of runs that are looked at", async () => {
    const rollouts = Array.from({ length: 50 }, (_, i) => ({
      ...{ problem: `p${i}`, attempt: 0, policy: "p", state: "complete" },
      response: terseResponse(["plan", "compute", "check"], "x"),
    }));
    const served = await ServedFolder.start(async (folder) => {
      for (let i = 0; i < 12; i++)
        await writeRun(
          join(folder, `run-${i}`),
          "evaluate",
          { policy: "p" },
          { "problems.jsonl": [], "rollouts.jsonl": rollouts },
        );
    });
    try {
      const first = await served.server.library.run("run-0");
      for (let i = 0; i < 12; i++) {
        await served.indexed(`run-${i}`);
        const { total } = await served.get<RolloutsReply>("rollouts", { run: `run-${i}`, limit: 1 });
        expect(total).toBe(50);
      }
      // The first was closed meanwhile, and is opened again when it is asked for.
      expect(await served.server.library.run("run-0")).not.toBe(first);
      expect(await served.server.library.run("run-11")).toBe(await served.server.library.run("run-11"));
      await served.indexed("run-0");
      expect((await served.get<RolloutsReply>("rollouts", { run: "run-0" })).total).toBe(50);
    } finally {
      await served.close();
    }
  });
});

describe("the indexing thread", () => {
  it("answers failures to who asked, goes on, and ends when it is closed", async () => {
    const thread = new IndexingThread();
    try {
      await expect(thread.rollouts("/nowhere/rollouts.jsonl", "rollout", 0)).rejects.toThrow(/ENOENT/);
      await expect(thread.grades("/nowhere/grades.jsonl", 0)).rejects.toThrow(/ENOENT/);
    } finally {
      await thread.close();
    }
    await expect(thread.grades("/nowhere/grades.jsonl", 0)).rejects.toThrow(/ended/);
  });
});
