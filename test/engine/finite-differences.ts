// Compares the gradients that a graph gives with the change of its output when an input is nudged.
import { expect } from "vitest";
import { Random } from "../../src/base/random.ts";
import { GraphBuilder, type Shape, type Value } from "../../src/engine/embedded/graph/builder.ts";
import { Tape } from "../../src/engine/embedded/graph/tape.ts";
import { type Feeds, Session, type Tensor, tensorMaker } from "../../src/engine/embedded/onnx/session.ts";

export type TestInput = { readonly shape: readonly number[]; readonly names?: Shape; readonly positive?: boolean };

/**
 * `build` makes a value from inputs that are drawn at random; the gradient of Σ coefficient·value by each input is
 * compared with central differences. `extra` feeds inputs that no gradient belongs to.
 */
export async function expectGradients(
  inputs: Readonly<Record<string, TestInput>>,
  build: (tape: Tape, values: Record<string, Value>) => Value,
  extra: Feeds = {},
): Promise<void> {
  const random = Random.from("finite differences");
  const make = await tensorMaker();
  const g = new GraphBuilder("rule");
  const tape = new Tape(g);
  const values: Record<string, Value> = {};
  const arrays: Record<string, Float32Array> = {};
  const feeds: Record<string, Tensor> = { ...extra };
  for (const [name, { shape, names, positive }] of Object.entries(inputs)) {
    values[name] = g.input(name, names ?? shape);
    tape.trainable(values[name]);
    const stream = random.child(name);
    const size = shape.reduce((product, count) => product * count, 1);
    arrays[name] = Float32Array.from({ length: size }, () => (positive ? 0.5 + stream.uniform() : stream.normal()));
    feeds[name] = make.float(arrays[name], shape);
  }
  const y = build(tape, values);
  g.output("y", y);
  const coefficients = g.input("coefficients", y.shape);
  tape.backward(y, coefficients);
  for (const name of Object.keys(inputs)) g.output(`gradient ${name}`, tape.gradientOf(values[name]));
  const session = await Session.create(g.build(), { threads: 1 });

  // The shape of y may depend on the feeds, so a first run tells it.
  const probe = new GraphBuilder("probe");
  const probeTape = new Tape(probe);
  const probeValues = Object.fromEntries(
    Object.entries(inputs).map(([name, { shape, names }]) => [name, probe.input(name, names ?? shape)]),
  );
  probe.output("y", build(probeTape, probeValues));
  const forward = await Session.create(probe.build(), { threads: 1 });
  const { y: first } = await forward.run(feeds, ["y"]);
  const stream = random.child("coefficients");
  const weights = Float32Array.from({ length: first.size }, () => stream.normal());
  feeds.coefficients = make.float(weights, [...first.dims]);

  const objective = async () => {
    const { y } = await forward.run(feeds, ["y"]);
    return (y.data as Float32Array).reduce((sum, value, i) => sum + value * weights[i], 0);
  };
  const outputs = await session.run(
    feeds,
    Object.keys(inputs).map((name) => `gradient ${name}`),
  );
  const nudge = 5e-3;
  for (const name of Object.keys(inputs)) {
    const gradient = outputs[`gradient ${name}`].data as Float32Array;
    const array = arrays[name];
    expect(gradient.length).toBe(array.length);
    const largest = gradient.reduce((best, value) => Math.max(best, Math.abs(value)), 0);
    expect(largest).toBeGreaterThan(0);
    const checked = random.child("checked", name).shuffle(Array.from(array.keys())).slice(0, 12);
    for (const i of checked) {
      const kept = array[i];
      array[i] = kept + nudge;
      const up = await objective();
      array[i] = kept - nudge;
      const down = await objective();
      array[i] = kept;
      expect(Math.abs((up - down) / (2 * nudge) - gradient[i]), `${name}[${i}]`).toBeLessThan(2e-3 * (1 + largest));
    }
  }
  await session.dispose();
  await forward.dispose();
}
