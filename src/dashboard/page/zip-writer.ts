// Files as one zip archive (PKWARE's APPNOTE, without its extensions): deflated, or stored where that saves nothing. Equal
// files make equal archives.
import { crc32, deflateRawSync } from "node:zlib";

export type ArchiveFile = { readonly name: string; readonly content: Buffer };

/** 1 January 1980, the earliest date that the format knows. */
const date = 0x21;
const [stored, deflated] = [0, 8];
/** Names are UTF-8. */
const flags = 0x800;

export function zipArchive(files: readonly ArchiveFile[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const small = deflateRawSync(content, { level: 9 });
    const packed = small.length < content.length ? small : content;
    const own = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(flags, 2);
    about.writeUInt16LE(packed === small ? deflated : stored, 4);
    about.writeUInt16LE(date, 8);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(own.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), about, place, own);
    const local = [Buffer.from([0x50, 0x4b, 3, 4]), about, own, packed];
    pieces.push(...local);
    offset += local.reduce((total, { length }) => total + length, 0);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(
    directory.reduce((total, { length }) => total + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}
