// Reads a PNG of eight bits a channel back into pixels, by the format's own rules and none of the renderer's code.
import { inflateSync } from "node:zlib";

export type Image = { readonly width: number; readonly height: number; readonly pixels: Uint8Array };

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function readPng(bytes: Uint8Array): Image {
  if (!signature.every((byte, i) => bytes[i] === byte)) throw new Error("no PNG signature");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: { width: number; height: number } | undefined;
  const data: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === "IHDR") {
      const [depth, color] = [bytes[at + 16], bytes[at + 17]];
      if (depth !== 8 || color !== 6) throw new Error(`depth ${depth}, color type ${color}: expected 8 and 6`);
      header = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (kind === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const { width, height } = header!;
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(data)), width, height) };
}

function unfiltered(raw: Uint8Array, width: number, height: number): Uint8Array {
  const stride = width * 4;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const here = y * stride + x;
      const left = x >= 4 ? pixels[here - 4] : 0;
      const above = y > 0 ? pixels[here - stride] : 0;
      const corner = x >= 4 && y > 0 ? pixels[here - stride - 4] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      pixels[here] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Pixels that are darker than paper. */
export function inkOf({ pixels }: Image): number {
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at] + pixels[at + 1] + pixels[at + 2] < 3 * 200) ink += 1;
  return ink;
}
