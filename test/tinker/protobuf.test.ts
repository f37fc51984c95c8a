// The hand-written codec against an independent reading of the wire format, and against every kind of broken reply.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import {
  readForwardBackwardOutput,
  readSampleResponse,
  writeForwardBackward,
} from "../../src/engine/tinker/protobuf.ts";
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

// Written by the SDK's own tinker_public_pb2 (thinking-machines-lab/tinker 0.25.0, protobuf for Python).
const golden = {
  samples: "0a14120805000000701101001a08000000bf000010c00a08080112040900000012080000c07f0000c0bf",
  outputs:
    "0a017812a701123d0a0369647312360a180700000000000000f8ffffffffffffff09000000000000001218000000000000000010000000000000001800000000000000180212300a086c6f6770726f627312240a0680bf00bf40c01218000000000000000004000000000000000600000000000000180412340a06706c61636573122a0a0c0100000002000000030000001218000000000000000008000000000000000c000000000000001803",
} as const;

describe("what the SDK writes", () => {
  it("samples: tokens, log-probs where there are some, why they ended, and prompt log-probs with their gap", () => {
    expect(readSampleResponse(Uint8Array.from(Buffer.from(golden.samples, "hex")))).toEqual({
      sequences: [
        { tokens: [5, 70_000], logprobs: [-0.5, -2.25], stopped: true },
        { tokens: [9], logprobs: [Number.NaN], stopped: false },
      ],
      promptLogprobs: [null, -1.5],
    });
  });

  it("outputs of every type, and without the number of datums that older encoders leave out", () => {
    const { outputs } = readForwardBackwardOutput(Uint8Array.from(Buffer.from(golden.outputs, "hex")));
    const plain = outputs.map((output) => Object.fromEntries(Object.entries(output).map(([k, v]) => [k, [...v]])));
    expect(plain).toEqual([
      { logprobs: [-1, -0.5], ids: [7, -8], places: [1, 2] },
      { logprobs: [-3], ids: [9], places: [3] },
    ]);
  });
});
