// Protobuf's wire format, written directly: what an ONNX model and the requests of the Tinker protocol need of it.

/** A message under construction: fields are appended in any order, as protobuf allows; tensors are not copied before the end. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  finish(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** int32, int64, enum and bool fields; negative numbers take their two's complement in 64 bits. */
  integer(field: number, value: number | bigint): this {
    return this.#key(field, 0).varint(value);
  }

  float(field: number, value: number): this {
    return this.#key(field, 5).#raw(new Uint8Array(Float32Array.of(value).buffer));
  }

  double(field: number, value: number): this {
    return this.#key(field, 1).#raw(new Uint8Array(Float64Array.of(value).buffer));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#key(field, 2).varint(value.length).#raw(value);
  }

  message(field: number, write: (message: ProtobufWriter) => void): this {
    const nested = new ProtobufWriter();
    write(nested);
    this.#key(field, 2).varint(nested.#length);
    for (const part of nested.#parts) this.#raw(part);
    return this;
  }

  /** A number without its field, as packed lists hold them. */
  varint(value: number | bigint): this {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    return this.#raw(Uint8Array.of(...bytes, Number(rest)));
  }

  #key(field: number, wire: number): this {
    return this.varint(field * 8 + wire);
  }

  #raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this;
  }
}
