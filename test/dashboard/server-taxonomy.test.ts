// Labels that are not the paper's, asked of the server: what may be asked, who labels, and what happens without the classifier.
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutsReply, RunReply, TraceReply } from "../../src/dashboard/api.ts";
import { Library } from "../../src/dashboard/library.ts";
import { BuiltinClassifier } from "../../src/traces/classifier/builtin-classifier.ts";
import type { SpanClassifier } from "../../src/traces/span-classifier.ts";
import { writeFiveLabelRuns } from "./five-label-runs.ts";
import { ServedFolder } from "./served-folder.ts";

let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start(writeFiveLabelRuns);
  for (const run of ["five", "dump"]) await served.indexed(run);
});
afterAll(() => served.close());

describe("a run with five labels", () => {
  it("has the labels of its analysis on its own rollouts", async () => {
    const { taxonomy, sources } = await served.get<RunReply>("run", { run: "five" });
    expect(taxonomy.name).toBe("five");
    expect(sources.map(({ labeled }) => labeled?.match(/^labels by five [0-9a-f]{8}\b/)?.length)).toEqual([1, 1]);
    const { rows, facets } = await served.get<RolloutsReply>("rollouts", { run: "five", motif: "WD" });
    expect(rows.every(({ sequence }) => /^R[WDX]*F$/.test(sequence!) && sequence!.includes("WD"))).toBe(true);
    expect(Object.keys(facets.primitives)).toEqual(["read", "work", "doubt", "finish", "chatter"]);
    const { source, row, sequence, depth } = rows[0];
    const trace = await served.get<TraceReply>("trace", { run: "five", source, row });
    expect(trace.spans.map(({ label }) => label[0].toUpperCase()).join("")).toBe(sequence!.replace("X", "C"));
    // Work alone is exploitation here: the longest run of it.
    expect(depth).toBe(Math.max(...sequence!.split(/[^W]/).map(({ length }) => length)));
    expect(trace.depth?.chain).toBe(depth);
  });

  it("may be asked for its own labels and for no others", async () => {
    for (const query of ["primitive=compute", "motif=CK", "category=recovery", "motif=work→compute"]) {
      const { status, text } = await served.ask(`/api/rollouts?run=five&${encodeURI(query)}`);
      expect([query, status, /recovery trigrams|\bwork\b/.test(text)]).toEqual([query, 400, true]);
    }
    expect((await served.get<RolloutsReply>("rollouts", { run: "five", category: "recovery trigrams" })).matching).toBe(
      (await served.get<RolloutsReply>("rollouts", { run: "five", primitive: "doubt" })).matching,
    );
  });

  it("takes the classifier that the dashboard was given where its own cannot be opened from here", async () => {
    const name = join(served.folder, "classifier");
    const five = await BuiltinClassifier.load(name);
    const asked: number[] = [];
    // As a language model on a server: no thread can load it.
    const classifier: SpanClassifier = {
      description: { ...five.description, about: "on a server" },
      taxonomy: five.taxonomy,
      label: (spans) => {
        asked.push(spans.length);
        return five.label(spans);
      },
    };
    const library = await Library.open(served.folder, { classifier, name });
    try {
      expect(library.labeler.about).toBe("on a server");
      const run = await library.run("five");
      await run.whenComplete();
      const { sources, taxonomy } = await run.run();
      expect(taxonomy.name).toBe("five");
      expect(sources.map(({ labeled }) => labeled?.match(/^labels by five [0-9a-f]{8}\b/)?.length)).toEqual([1, 1]);
      expect(asked.length).toBeGreaterThan(0);
    } finally {
      await library.close();
    }
  });

  it("without its classifier has the shipped one's labels, and says so", async () => {
    await rename(join(served.folder, "classifier"), join(served.folder, "moved"));
    const other = await Library.open(served.folder);
    try {
      const five = await (await other.run("five")).run();
      expect(five.taxonomy.name).toBe("paper");
      expect(five.analysis).toBeUndefined();
      expect(five.gaps.map(({ missing }) => missing)).toContain("the labeler of the analysis (taxonomy five)");
      // An analysis on its own keeps its labels, whoever can be loaded.
      expect((await (await other.run("dump")).run()).taxonomy.name).toBe("five");
    } finally {
      await other.close();
    }
  });
});
