// Protobuf by the rules of the format alone, independent of the codec under test.

/** A message as {field: [values]}. */
export function parse(bytes: Uint8Array): Map<number, (number | Uint8Array)[]> {
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

export const bytesOf = (value: unknown) => value as Uint8Array;
export const text = (value: unknown) => new TextDecoder().decode(bytesOf(value));

export type ReceivedDatum = { readonly tokens: number[]; readonly inputs: Record<string, number[]> };

export type ReceivedPass = {
  readonly modelId: string;
  readonly sequence: number;
  readonly data: ReceivedDatum[];
  readonly lossFunction: string;
  readonly lossOptions: Record<string, number>;
  readonly forwardOnly: boolean;
};

export function parsePass(body: Uint8Array): ReceivedPass {
  const message = parse(body);
  const entries = (list: unknown[] = []) => list.map((entry) => parse(bytesOf(entry)));
  return {
    modelId: text(message.get(1)![0]),
    sequence: message.get(2)![0] as number,
    data: (message.get(3) ?? []).map((datum) => {
      const fields = parse(bytesOf(datum));
      const chunk = parse(bytesOf(parse(bytesOf(fields.get(1)![0])).get(1)![0]));
      const inputs = entries(fields.get(2)).map((pair) => {
        const tensor = parse(bytesOf(pair.get(2)![0]));
        const raw = bytesOf(tensor.get(1)![0]).slice().buffer;
        const values =
          tensor.get(3)![0] === 2 ? Array.from(new BigInt64Array(raw), Number) : [...new Float32Array(raw)];
        return [text(pair.get(1)![0]), values];
      });
      return {
        tokens: [...new Int32Array(bytesOf(chunk.get(1)![0]).slice().buffer)],
        inputs: Object.fromEntries(inputs),
      };
    }),
    lossFunction: text(message.get(4)![0]),
    lossOptions: Object.fromEntries(
      entries(message.get(5)).map((pair) => [text(pair.get(1)![0]), pair.get(2)![0] as number]),
    ),
    forwardOnly: message.get(6)?.[0] === 1,
  };
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const block = (field: number, content: readonly number[]) => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
];
const raw = (array: Float32Array | Int32Array | BigInt64Array | Float64Array) => [...new Uint8Array(array.buffer)];

/** A SampleResponse of one sequence; the stop reason of a sequence that stopped is 0, and 0 is not written. */
export function sampleOutput(
  sequence: { readonly tokens: readonly number[]; readonly logprobs: readonly number[]; readonly stopped: boolean },
  promptLogprobs: readonly (number | null)[] | null,
): Uint8Array {
  const { tokens, logprobs, stopped } = sequence;
  const sampled = [
    ...(stopped ? [] : [...varint(1 * 8), ...varint(1)]),
    ...block(2, raw(Int32Array.from(tokens))),
    ...block(3, raw(Float32Array.from(logprobs))),
  ];
  const prompt =
    promptLogprobs === null ? [] : block(2, raw(Float32Array.from(promptLogprobs, (value) => value ?? Number.NaN)));
  return Uint8Array.from([...block(1, sampled), ...prompt]);
}

/** An output message of log-probs. */
export function output(datums: number[][], metrics: Record<string, number>): Uint8Array {
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
