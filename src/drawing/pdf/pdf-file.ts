// A PDF file from its objects: numbered, streams deflated, with the table that says where each one lies (ISO 32000-1, 7.5).
// The same objects give the same bytes: no dates, no random ids.
import { deflateSync } from "node:zlib";

export class PdfFile {
  readonly #objects: (Uint8Array | undefined)[] = [];

  /** A number to refer to, before its content is known. */
  reserve(): number {
    return this.#objects.push(undefined);
  }

  set(number: number, content: string): number {
    this.#objects[number - 1] = latin1(content);
    return number;
  }

  add(content: string): number {
    return this.set(this.reserve(), content);
  }

  /** `entries` stand in the stream's dictionary beside its length. */
  stream(bytes: Uint8Array, entries = ""): number {
    const packed = deflateSync(bytes, { level: 9 });
    const head = latin1(`<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`);
    this.#objects[this.reserve() - 1] = joined([head, packed, latin1("\nendstream")]);
    return this.#objects.length;
  }

  bytes(catalog: number, info: number): Uint8Array {
    const parts: Uint8Array[] = [];
    const offsets: number[] = [];
    let at = 0;
    const put = (part: Uint8Array) => {
      parts.push(part);
      at += part.length;
    };
    // The comment's bytes tell transfer programs that the file is not text.
    put(joined([latin1("%PDF-1.7\n%"), Uint8Array.of(0xe2, 0xe3, 0xcf, 0xd3, 0x0a)]));
    this.#objects.forEach((content, i) => {
      if (content === undefined) throw new Error(`object ${i + 1} was reserved and never written`);
      offsets.push(at);
      put(joined([latin1(`${i + 1} 0 obj\n`), content, latin1("\nendobj\n")]));
    });
    const table = at;
    const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
    const count = this.#objects.length + 1;
    put(latin1(`xref\n0 ${count}\n0000000000 65535 f \n${entries.join("")}`));
    put(latin1(`trailer\n<< /Size ${count} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${table}\n%%EOF\n`));
    return joined(parts);
  }
}

export const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** Any text as a string of a dictionary: UTF-16 with its mark, in hexadecimal. */
export const pdfText = (text: string): string =>
  `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()}>`;
