// TrueType fonts, as much of them as a figure needs: which glyph a character is, how wide it is, and a font of its own with
// only the glyphs that are used. (OpenType 1.9, tables cmap, glyf, head, hhea, hmtx, loca, maxp.)

export type TrueTypeFont = {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly box: readonly [number, number, number, number];
  /** Of a character, by its code point; 0 where the font has none. */
  readonly glyphOf: (codePoint: number) => number;
  /** In units of the em. */
  readonly widthOf: (glyph: number) => number;
  /** Glyphs are numbered in the order given; the first must be 0, which stands for what is missing. */
  readonly subset: (glyphs: readonly number[]) => Uint8Array;
};

export function readTrueType(given: Uint8Array): TrueTypeFont {
  // A Buffer's `slice` is no copy.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = new Map<string, { readonly offset: number; readonly length: number }>();
  for (let i = 0, at = 12; i < view.getUint16(4); i++, at += 16) {
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    places.set(tag, { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) });
  }
  const offsetOf = (tag: string): number => {
    const found = places.get(tag);
    if (found === undefined) throw new Error(`the font has no table ${tag}`);
    return found.offset;
  };
  const [head, hhea, hmtx, loca, glyf] = ["head", "hhea", "hmtx", "loca", "glyf"].map(offsetOf);
  const metrics = view.getUint16(hhea + 34);
  const long = view.getInt16(head + 50) === 1;
  const place = (glyph: number) => (long ? view.getUint32(loca + 4 * glyph) : 2 * view.getUint16(loca + 2 * glyph));
  const outline = (glyph: number) => bytes.subarray(glyf + place(glyph), glyf + place(glyph + 1));
  const widthOf = (glyph: number) => view.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1));

  const subset = (wanted: readonly number[]): Uint8Array => {
    // Glyphs that are made of others bring them along, after those that were asked for.
    const glyphs = [...wanted];
    for (let i = 0; i < glyphs.length; i++)
      for (const { part } of partsOf(outline(glyphs[i]))) if (!glyphs.includes(part)) glyphs.push(part);
    const numberOf = new Map(glyphs.map((glyph, number) => [glyph, number]));
    const outlines = glyphs.map((glyph) => {
      const copy = outline(glyph).slice();
      for (const { at, part } of partsOf(copy)) new DataView(copy.buffer).setUint16(at, numberOf.get(part)!);
      return copy;
    });
    const tables = new Map<string, Uint8Array>();
    for (const tag of ["cvt ", "fpgm", "prep"]) {
      const found = places.get(tag);
      if (found !== undefined) tables.set(tag, bytes.slice(found.offset, found.offset + found.length));
    }
    const copied = (tag: string) => bytes.slice(offsetOf(tag), offsetOf(tag) + places.get(tag)!.length);
    const newHead = copied("head");
    new DataView(newHead.buffer).setUint32(8, 0);
    new DataView(newHead.buffer).setInt16(50, 1);
    const newHhea = copied("hhea");
    new DataView(newHhea.buffer).setUint16(34, glyphs.length);
    const newMaxp = copied("maxp");
    new DataView(newMaxp.buffer).setUint16(4, glyphs.length);
    const newHmtx = new DataView(new ArrayBuffer(4 * glyphs.length));
    glyphs.forEach((glyph, i) => {
      newHmtx.setUint16(4 * i, widthOf(glyph));
      const bearing = glyph < metrics ? hmtx + 4 * glyph + 2 : hmtx + 4 * metrics + 2 * (glyph - metrics);
      newHmtx.setInt16(4 * i + 2, view.getInt16(bearing));
    });
    const newLoca = new DataView(new ArrayBuffer(4 * (glyphs.length + 1)));
    let end = 0;
    outlines.forEach((one, i) => {
      end += padded(one.length);
      newLoca.setUint32(4 * (i + 1), end);
    });
    const newGlyf = new Uint8Array(end);
    for (const [i, one] of outlines.entries()) newGlyf.set(one, newLoca.getUint32(4 * i));
    for (const [tag, table] of [
      ["glyf", newGlyf],
      ["head", newHead],
      ["hhea", newHhea],
      ["hmtx", new Uint8Array(newHmtx.buffer)],
      ["loca", new Uint8Array(newLoca.buffer)],
      ["maxp", newMaxp],
    ] as const)
      tables.set(tag, table);
    return assembled(tables);
  };

  const number = (at: number) => view.getInt16(at);
  return {
    unitsPerEm: view.getUint16(head + 18),
    ascent: number(hhea + 4),
    descent: number(hhea + 6),
    box: [number(head + 36), number(head + 38), number(head + 40), number(head + 42)],
    glyphOf: characterMap(view, offsetOf("cmap")),
    widthOf,
    subset,
  };
}

const padded = (length: number): number => (length + 3) & ~3;

/** The glyphs that a composed one is made of, and where its outline names them. */
function partsOf(outline: Uint8Array): { readonly at: number; readonly part: number }[] {
  const view = new DataView(outline.buffer, outline.byteOffset, outline.byteLength);
  if (outline.length < 10 || view.getInt16(0) >= 0) return [];
  const parts: { at: number; part: number }[] = [];
  for (let at = 10, more = true; more; ) {
    const flags = view.getUint16(at);
    parts.push({ at: at + 2, part: view.getUint16(at + 2) });
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
    more = (flags & 0x20) !== 0;
  }
  return parts;
}

/** Format 12 where there is one, else format 4, which knows the first plane. */
function characterMap(view: DataView, cmap: number): (codePoint: number) => number {
  const tables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, i) => cmap + view.getUint32(cmap + 4 + 8 * i + 4),
  );
  const full = tables.find((at) => view.getUint16(at) === 12);
  if (full !== undefined)
    return (codePoint) => {
      for (let i = 0, at = full + 16; i < view.getUint32(full + 12); i++, at += 12)
        if (codePoint >= view.getUint32(at) && codePoint <= view.getUint32(at + 4))
          return view.getUint32(at + 8) + codePoint - view.getUint32(at);
      return 0;
    };
  const plane = tables.find((at) => view.getUint16(at) === 4);
  if (plane === undefined) throw new Error("the font has no map of characters that is known here");
  const width = view.getUint16(plane + 6);
  const [ends, starts] = [plane + 14, plane + 16 + width];
  const [deltas, ranges] = [starts + width, starts + 2 * width];
  return (codePoint) => {
    for (let i = 0; i < width; i += 2) {
      if (codePoint > view.getUint16(ends + i)) continue;
      const start = view.getUint16(starts + i);
      if (codePoint < start) return 0;
      const range = view.getUint16(ranges + i);
      const delta = view.getUint16(deltas + i);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = view.getUint16(ranges + i + range + 2 * (codePoint - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** A font file: its directory, then its tables, with the sums that readers check. */
function assembled(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const size = tags.reduce((sum, tag) => sum + padded(tables.get(tag)!.length), 12 + 16 * tags.length);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x00010000);
  view.setUint16(4, tags.length);
  view.setUint16(6, 16 * power);
  view.setUint16(8, Math.log2(power));
  view.setUint16(10, 16 * tags.length - 16 * power);
  let offset = 12 + 16 * tags.length;
  let adjustAt = 0;
  tags.forEach((tag, i) => {
    const table = tables.get(tag)!;
    file.set(table, offset);
    const at = 12 + 16 * i;
    for (let c = 0; c < 4; c++) file[at + c] = tag.charCodeAt(c);
    view.setUint32(at + 4, sumOf(file.subarray(offset, offset + padded(table.length))));
    view.setUint32(at + 8, offset);
    view.setUint32(at + 12, table.length);
    if (tag === "head") adjustAt = offset + 8;
    offset += padded(table.length);
  });
  view.setUint32(adjustAt, (0xb1b0afba - sumOf(file)) >>> 0);
  return file;
}

function sumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
