// The hand-written codec against an independent reading of the wire format, and against every kind of broken reply.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { readForwardBackwardOutput, writeForwardBackward } from "../../src/engine/tinker/protobuf.ts";
import { bytesOf, output, parse, text } from "./wire-format.ts";

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
          expect(error).toBeInstanceOf(DataError);
        }
      }),
    );
  });
});
