// The hand-written codec against an independent reading of the wire format, and against every kind of broken reply.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { readForwardBackwardOutput, writeForwardBackward } from "../../src/engine/tinker/protobuf.ts";

/** A message as {field: [values]}, by the rules of the format alone. */
function parse(bytes: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = () => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
      shift += 7n;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const values = fields.get(key >> 3) ?? [];
    if ((key & 7) === 0) values.push(varint());
    else if ((key & 7) === 1) {
      values.push(view.getFloat64(at, true));
      at += 8;
    } else {
      const size = varint();
      values.push(bytes.slice(at, at + size));
      at += size;
    }
    fields.set(key >> 3, values);
  }
  return fields;
}

const bytesOf = (value: unknown) => value as Uint8Array;
const text = (value: unknown) => new TextDecoder().decode(bytesOf(value));

/** An output message, written by the rules of the format alone. */
function output(datums: number[][], metrics: Record<string, number>): Uint8Array {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
  const block = (field: number, content: readonly number[]) => [
    ...varint(field * 8 + 2),
    ...varint(content.length),
    ...content,
  ];
  const raw = (array: Float32Array | BigInt64Array | Float64Array) => [...new Uint8Array(array.buffer)];
  const utf8 = (word: string) => [...new TextEncoder().encode(word)];
  const ends = [0];
  for (const datum of datums) ends.push(ends[ends.length - 1] + 4 * datum.length);
  const tensor = [
    ...block(1, raw(Float32Array.from(datums.flat()))),
    ...block(2, raw(BigInt64Array.from(ends.map(BigInt)))),
    ...varint(3 * 8),
    ...varint(1),
  ];
  const record = [
    ...block(2, [...block(1, utf8("logprobs")), ...block(2, tensor)]),
    ...varint(3 * 8),
    ...varint(datums.length),
  ];
  const entries = Object.entries(metrics).flatMap(([name, value]) =>
    block(3, [...block(1, utf8(name)), ...varint(2 * 8 + 1), ...raw(Float64Array.of(value))]),
  );
  return Uint8Array.from([...block(1, utf8("TrainingOutput")), ...block(2, record), ...entries]);
}

describe("request", () => {
  it("every number arrives", () => {
    const token = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const datum = fc.array(fc.tuple(token, token, fc.float({ noNaN: true })), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(datum, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.boolean(),
        (data, sequence, forwardOnly) => {
          const message = parse(
            writeForwardBackward({
              modelId: "modèl-1",
              sequence,
              data: data.map((rows) => ({
                tokens: Int32Array.from(rows, ([a]) => a),
                targets: rows.map(([, b]) => b),
                floats: { weights: rows.map(([, , w]) => w) },
              })),
              lossFunction: "cross_entropy",
              lossOptions: { temperature: 0.8 },
              forwardOnly,
            }),
          );
          expect(text(message.get(1)![0])).toBe("modèl-1");
          expect(message.get(2)).toEqual([sequence]);
          expect(text(message.get(4)![0])).toBe("cross_entropy");
          expect(parse(bytesOf(message.get(5)![0])).get(2)).toEqual([0.8]);
          expect(message.get(6)).toEqual(forwardOnly ? [1] : undefined);
          data.forEach((rows, i) => {
            const fields = parse(bytesOf(message.get(3)![i]));
            const chunk = parse(bytesOf(parse(bytesOf(fields.get(1)![0])).get(1)![0]));
            expect([...new Int32Array(bytesOf(chunk.get(1)![0]).slice().buffer)]).toEqual(rows.map(([a]) => a));
            const inputs = new Map(
              fields.get(2)!.map((entry) => {
                const pair = parse(bytesOf(entry));
                return [text(pair.get(1)![0]), parse(bytesOf(pair.get(2)![0]))];
              }),
            );
            expect(
              [...new BigInt64Array(bytesOf(inputs.get("target_tokens")!.get(1)![0]).slice().buffer)].map(Number),
            ).toEqual(rows.map(([, b]) => b));
            expect([...new Float32Array(bytesOf(inputs.get("weights")!.get(1)![0]).slice().buffer)]).toEqual(
              rows.map(([, , w]) => w),
            );
            expect(inputs.get("target_tokens")!.get(3)).toEqual([2]);
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("reply", () => {
  it("comes back datum by datum, with its metrics", () => {
    const number = fc.float({ noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.array(number, { maxLength: 9 }), { maxLength: 5 }),
        fc.double({ noNaN: true }),
        (datums, loss) => {
          const read = readForwardBackwardOutput(output(datums, { "loss:sum": loss }));
          expect(read.metrics).toEqual({ "loss:sum": loss });
          expect(read.outputs.map(({ logprobs }) => [...logprobs])).toEqual(datums);
        },
      ),
    );
  });

  it("cut off anywhere or scrambled, it is refused or read short, never anything else", () => {
    const whole = output([[1, 2], [3]], { x: 1 });
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (cut, at, byte) => {
        const broken = whole.slice(0, cut);
        if (at < cut) broken[at] = byte;
        try {
          readForwardBackwardOutput(broken);
        } catch (error) {
          expect(error instanceof DataError || error instanceof RangeError).toBe(true);
        }
      }),
    );
  });
});
