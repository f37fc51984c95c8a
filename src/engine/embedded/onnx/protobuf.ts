// The part of protobuf's wire format that an ONNX model needs, written directly: varints, fixed floats, nested messages.

/** A message under construction: fields are appended in any order, as protobuf allows. */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** int32, int64, enum and bool fields; negative numbers take their two's complement in 64 bits. */
  integer(field: number, value: number | bigint): this {
    this.#varint(BigInt(field * 8));
    this.#varint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  float(field: number, value: number): this {
    this.#varint(BigInt(field * 8 + 5));
    const at = this.#grow(4);
    new DataView(this.#bytes.buffer).setFloat32(at, value, true);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint(BigInt(field * 8 + 2));
    this.#varint(BigInt(value.length));
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  message(field: number, write: (message: ProtobufWriter) => void): this {
    const nested = new ProtobufWriter();
    write(nested);
    return this.bytes(field, nested.finish());
  }

  #varint(value: bigint): void {
    let rest = value;
    while (rest > 127n) {
      this.#byte(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.#byte(Number(rest));
  }

  #byte(value: number): void {
    const at = this.#grow(1);
    this.#bytes[at] = value;
  }

  #grow(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return at;
  }
}
