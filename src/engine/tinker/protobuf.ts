// The few protobuf messages of the Tinker protocol, by hand: a request of datums out, their log-probs back.
import { DataError } from "../../base/errors.ts";
import { ProtobufWriter } from "../protobuf-writer.ts";

const [float32, int64, int32, bfloat16] = [1, 2, 3, 4];

/** One sequence of a forward or backward pass, already shifted: `tokens[i]` is followed by `targets[i]`. */
export type Datum = {
  readonly tokens: Int32Array;
  readonly targets: ArrayLike<number>;
  /** Float tensors beside the targets: `weights`, `logprobs`, `advantages`, … */
  readonly floats: Readonly<Record<string, ArrayLike<number>>>;
};

type ForwardBackwardRequest = {
  readonly modelId: string;
  readonly sequence: number;
  readonly data: readonly Datum[];
  readonly lossFunction: string;
  readonly lossOptions: Readonly<Record<string, number>>;
  readonly forwardOnly: boolean;
};

export type ForwardBackwardOutput = {
  /** One per datum. */
  readonly outputs: readonly Readonly<Record<string, Float32Array>>[];
  readonly metrics: Readonly<Record<string, number>>;
};

export type SampleReply = {
  readonly sequences: readonly {
    readonly tokens: readonly number[];
    readonly logprobs: readonly number[];
    /** Ours alone. */
    readonly temperedLogprobs?: readonly number[];
    readonly stopped: boolean;
  }[];
  readonly promptLogprobs?: readonly (number | null)[];
};

// ---- Writing -----------------------------------------------------------------------------------------------------

const bytesOf = (array: Int32Array | Float32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function tensor(message: ProtobufWriter, content: Uint8Array, type: number, length: number): void {
  // `shape` is a packed list of one number.
  message
    .bytes(1, content)
    .integer(3, type)
    .message(4, (shape) => shape.varint(length));
}

/** Tokens as 64-bit integers: they are small and never negative, so their upper halves are 0. */
function asInt64(tokens: ArrayLike<number>): Int32Array {
  const halves = new Int32Array(2 * tokens.length);
  for (let i = 0; i < tokens.length; i++) halves[2 * i] = tokens[i];
  return halves;
}

function datum(message: ProtobufWriter, { tokens, targets, floats }: Datum): void {
  message.message(1, (input) => input.message(1, (chunk) => chunk.bytes(1, bytesOf(tokens))));
  const entry = (name: string, content: Uint8Array, type: number, length: number) =>
    message.message(2, (pair) => pair.text(1, name).message(2, (value) => tensor(value, content, type, length)));
  entry("target_tokens", bytesOf(asInt64(targets)), int64, targets.length);
  for (const [name, values] of Object.entries(floats))
    entry(name, bytesOf(Float32Array.from(values)), float32, values.length);
}

export function writeForwardBackward(request: ForwardBackwardRequest): Uint8Array {
  const message = new ProtobufWriter().text(1, request.modelId).integer(2, request.sequence);
  for (const one of request.data) message.message(3, (nested) => datum(nested, one));
  message.text(4, request.lossFunction);
  for (const [name, value] of Object.entries(request.lossOptions))
    message.message(5, (entry) => entry.text(1, name).double(2, value));
  if (request.forwardOnly) message.integer(6, 1);
  return message.finish();
}

// ---- Reading -----------------------------------------------------------------------------------------------------

type Field = { readonly field: number; readonly number: number; readonly bytes: Uint8Array };

function* fieldsOf(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (at >= message.length || scale > 2 ** 63) throw new DataError("malformed protobuf reply: truncated number");
      const byte = message[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (size: number) => {
    if (at + size > message.length) throw new DataError("malformed protobuf reply: truncated field");
    at += size;
    return message.subarray(at - size, at);
  };
  const none = new Uint8Array();
  while (at < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        yield { field, number: varint(), bytes: none };
        break;
      case 1:
        take(8);
        yield { field, number: view.getFloat64(at - 8, true), bytes: none };
        break;
      case 2:
        yield { field, number: 0, bytes: take(varint()) };
        break;
      case 5:
        take(4);
        yield { field, number: view.getFloat32(at - 4, true), bytes: none };
        break;
      default:
        throw new DataError(`malformed protobuf reply: wire type ${key % 8}`);
    }
  }
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Numbers of any type that servers send, copied, because a view into a reply may not be aligned for them. */
function numbersOf(bytes: Uint8Array, type: number): Float32Array {
  const size = type === int64 ? 8 : type === bfloat16 ? 2 : 4;
  if (bytes.length % size !== 0)
    throw new DataError(`malformed protobuf reply: ${bytes.length} bytes of numbers of ${size}`);
  const { buffer } = bytes.slice();
  switch (type) {
    case float32:
      return new Float32Array(buffer);
    case int32:
      return Float32Array.from(new Int32Array(buffer));
    case int64:
      return Float32Array.from(new BigInt64Array(buffer), Number);
    case bfloat16:
      // The upper half of a float32.
      return new Float32Array(Uint32Array.from(new Uint16Array(buffer), (half) => half * 65536).buffer);
    default:
      throw new DataError(`malformed protobuf reply: numbers of unknown type ${type}`);
  }
}

function entryOf(bytes: Uint8Array): { key: string; value: Uint8Array; number: number } {
  const entry = { key: "", value: new Uint8Array(), number: 0 };
  for (const { field, bytes: content, number } of fieldsOf(bytes)) {
    if (field === 1) entry.key = textOf(content);
    if (field === 2) Object.assign(entry, { value: content, number });
  }
  return entry;
}

/** One field of all datums: one run of bytes, and where each datum's begins. */
function batchedTensor(bytes: Uint8Array): Float32Array[] {
  let data: Uint8Array = new Uint8Array();
  let offsets: number[] = [];
  let type = float32;
  for (const { field, bytes: content, number } of fieldsOf(bytes)) {
    if (field === 1) data = content;
    if (field === 2) {
      if (content.length % 8 !== 0) throw new DataError(`malformed protobuf reply: ${content.length} bytes of int64`);
      offsets = Array.from(new BigInt64Array(content.slice().buffer), Number);
    }
    if (field === 3) type = number;
  }
  return offsets.slice(1).map((end, i) => numbersOf(data.subarray(offsets[i], end), type));
}

export function readForwardBackwardOutput(message: Uint8Array): ForwardBackwardOutput {
  const outputs: Record<string, Float32Array>[] = [];
  const metrics: Record<string, number> = {};
  for (const { field, bytes } of fieldsOf(message)) {
    if (field === 2) {
      const record: Record<string, Float32Array[]> = {};
      let count = 0;
      for (const inner of fieldsOf(bytes)) {
        if (inner.field === 2) {
          const { key, value } = entryOf(inner.bytes);
          record[key] = batchedTensor(value);
        }
        if (inner.field === 3) count = inner.number;
      }
      // Older encoders leave the number of datums out; every field has one entry for each.
      if (count === 0) count = Math.max(0, ...Object.values(record).map((tensors) => tensors.length));
      for (let i = 0; i < count; i++) {
        outputs.push(Object.fromEntries(Object.entries(record).map(([name, tensors]) => [name, tensors[i]])));
      }
    }
    if (field === 3) {
      const { key, number } = entryOf(bytes);
      metrics[key] = number;
    }
  }
  return { outputs, metrics };
}

export function readSampleResponse(message: Uint8Array): SampleReply {
  const sequences: SampleReply["sequences"][number][] = [];
  let promptLogprobs: (number | null)[] | undefined;
  for (const { field, bytes } of fieldsOf(message)) {
    if (field === 1) sequences.push(sampledSequence(bytes));
    // What is not defined, as the first token's, is sent as NaN.
    if (field === 2)
      promptLogprobs = Array.from(numbersOf(bytes, float32), (value) => (Number.isNaN(value) ? null : value));
  }
  return { sequences, promptLogprobs };
}

function sampledSequence(message: Uint8Array): SampleReply["sequences"][number] {
  let [stopped, tokens, logprobs]: [boolean, number[], number[] | undefined] = [true, [], undefined];
  for (const { field, bytes, number } of fieldsOf(message)) {
    // The first of the reasons is 0, and what is 0 is not written: no field means that it stopped.
    if (field === 1) stopped = number === 0;
    if (field === 2) tokens = Array.from(new Int32Array(bytes.slice().buffer));
    if (field === 3) logprobs = Array.from(numbersOf(bytes, float32));
  }
  return { tokens, logprobs: logprobs ?? tokens.map(() => Number.NaN), stopped };
}
