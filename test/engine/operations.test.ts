// Every backward rule against finite differences of its own forward rule.
import { describe, it } from "vitest";
import { attention } from "../../src/engine/embedded/graph/operations/attention.ts";
import {
  linear,
  mergeHeads,
  plus,
  rmsNorm,
  rotary,
  selectRows,
  splitHeads,
  swiglu,
  viewed,
} from "../../src/engine/embedded/graph/operations/layers.ts";
import { tensorMaker } from "../../src/engine/embedded/onnx/session.ts";
import { expectGradients } from "./finite-differences.ts";

const make = await tensorMaker();
const tokens = make.int32(new Int32Array(10), [2, 5]);

describe("backward rules agree with finite differences", () => {
  it("linear, with a residual and a scale", () =>
    expectGradients({ x: { shape: [5, 4] }, w: { shape: [3, 4] }, r: { shape: [5, 3] } }, (tape, { x, w, r }) =>
      linear(tape, x, w, { residual: r, scale: 0.7 }),
    ));

  it("a value used twice gets both gradients", () =>
    expectGradients({ x: { shape: [5, 4] }, w: { shape: [4, 4] } }, (tape, { x, w }) => {
      const once = linear(tape, x, w);
      return plus(tape, linear(tape, once, w, { residual: x }), viewed(tape, once, [5, 4]));
    }));

  it("RMS norm", () =>
    expectGradients({ x: { shape: [6, 8] }, scale: { shape: [8] } }, (tape, { x, scale }) =>
      rmsNorm(tape, x, scale, 1e-5),
    ));

  it("SwiGLU", () =>
    expectGradients({ gate: { shape: [5, 7] }, up: { shape: [5, 7] } }, (tape, { gate, up }) =>
      swiglu(tape, gate, up),
    ));

  it("rotary embedding", () => {
    const angles = Array.from({ length: 15 }, (_, i) => 0.3 * i);
    return expectGradients({ x: { shape: [2, 3, 5, 6] } }, (tape, { x }) => {
      const tables = {
        cosines: tape.graph.constant(angles.map(Math.cos), [5, 3]),
        sines: tape.graph.constant(angles.map(Math.sin), [5, 3]),
      };
      return rotary(tape, x, tables, tape.graph.integers([0]));
    });
  });

  it("splitting and merging heads", () =>
    expectGradients(
      { x: { shape: [10, 6], names: ["rows", 6] } },
      (tape, { x }) => {
        const layout = tape.graph.input("tokens", ["batch", "length"], "int32");
        return mergeHeads(tape, splitHeads(tape, x, layout, 3, 2), layout, x);
      },
      { tokens },
    ));

  it("selecting rows", () =>
    expectGradients(
      { x: { shape: [6, 3], names: ["rows", 3] } },
      (tape, { x }) => selectRows(tape, x, tape.graph.input("rows", ["selected"], "int64")),
      { rows: make.integers([4, 0, 5], [3]) },
    ));

  const length = 7;
  const mask = new Float32Array(length * length);
  for (let query = 0; query < length; query++) mask.fill(-1e9, query * length + query + 1, (query + 1) * length);

  it.each([
    { name: "in one block", ends: [7], probabilities: "keep" as const },
    { name: "in three blocks", ends: [2, 5, 7], probabilities: "keep" as const },
    { name: "in two blocks, computed twice", ends: [4, 7], probabilities: "recompute" as const },
  ])("attention with grouped heads $name", ({ ends, probabilities }) =>
    expectGradients(
      {
        q: { shape: [2, 4, length, 6], names: ["batch", 4, "length", 6] },
        k: { shape: [2, 2, length, 6], names: ["batch", 2, "length", 6] },
        v: { shape: [2, 2, length, 6], names: ["batch", 2, "length", 6] },
      },
      (tape, { q, k, v }) => {
        const g = tape.graph;
        return attention(tape, q, k, v, {
          scale: 0.5,
          blocks: { start: g.integers([0]), ends: ends.map((end) => g.integers([end])) },
          mask: g.input("mask", ["length", "length"]),
          probabilities,
        });
      },
      { mask: make.float(mask, [length, length]) },
    ),
  );
});
