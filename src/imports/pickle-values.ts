// The plain values of a Python pickle: dictionaries, lists, texts and numbers. Nothing is ever called or built: what a
// pickle would make with a class or a function, and the tensors of a torch file, are read as `undefined`.
import { DataError } from "../base/errors.ts";

const mark = Symbol("mark");

export function pickleValue(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder("utf-8");
  const stack: unknown[] = [];
  const memo = new Map<number, unknown>();
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (!(length >= 0) || at + length > bytes.length) throw new DataError("the pickle is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const place = (length: number): number => {
    take(length);
    return at - length;
  };
  const u8 = () => view.getUint8(place(1));
  const u16 = () => view.getUint16(place(2), true);
  const u32 = () => view.getUint32(place(4), true);
  const u64 = () => Number(view.getBigUint64(place(8), true));
  const text = (length: number) => decoder.decode(take(length));
  const line = () => {
    const end = bytes.indexOf(10, at);
    if (end === -1) throw new DataError("the pickle is cut off");
    const found = decoder.decode(bytes.subarray(at, end));
    at = end + 1;
    return found;
  };
  const pop = () => {
    if (stack.length === 0 || stack[stack.length - 1] === mark) throw new DataError("the pickle is damaged");
    return stack.pop();
  };
  const sinceMark = () => {
    const from = stack.lastIndexOf(mark);
    if (from === -1) throw new DataError("the pickle is damaged");
    const items = stack.splice(from + 1);
    stack.pop();
    return items;
  };
  const append = (items: readonly unknown[]) => {
    const list = stack[stack.length - 1];
    if (Array.isArray(list)) for (const item of items) list.push(item);
  };
  const set = (items: readonly unknown[]) => {
    const record = stack[stack.length - 1];
    if (!(record instanceof Map)) return;
    for (let i = 0; i + 1 < items.length; i += 2) record.set(items[i], items[i + 1]);
  };
  /** Little-endian, two's complement; longer than eight bytes is no number that a rollout has. */
  const long = (length: number) => {
    const digits = take(length);
    if (length > 8) return undefined;
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(digits[i]);
    return Number(length > 0 && digits[length - 1] > 127 ? value - (1n << BigInt(8 * length)) : value);
  };
  /** Something that only Python could make: what it is made of is passed over. */
  const opaque = (values: number, length = 0) => {
    for (let i = 0; i < values; i++) pop();
    take(length);
    stack.push(undefined);
  };
  /** What an object of a class holds, without the class. */
  const build = (state: unknown) => {
    if (stack[stack.length - 1] === undefined && state instanceof Map) stack[stack.length - 1] = state;
  };
  const operations = new Map<number, () => unknown>([
    [0x80, () => take(1)], // PROTO
    [0x95, () => take(8)], // FRAME
    [0x28, () => stack.push(mark)], // MARK
    [0x30, () => pop()], // POP
    [0x31, () => sinceMark()], // POP_MARK
    [0x4e, () => stack.push(undefined)], // NONE
    [0x88, () => stack.push(true)], // NEWTRUE
    [0x89, () => stack.push(false)], // NEWFALSE
    [0x4a, () => stack.push(view.getInt32(place(4), true))], // BININT
    [0x4b, () => stack.push(u8())], // BININT1
    [0x4d, () => stack.push(u16())], // BININT2
    [0x8a, () => stack.push(long(u8()))], // LONG1
    [0x8b, () => stack.push(long(u32()))], // LONG4
    [0x47, () => stack.push(view.getFloat64(place(8)))], // BINFLOAT
    [0x58, () => stack.push(text(u32()))], // BINUNICODE
    [0x8c, () => stack.push(text(u8()))], // SHORT_BINUNICODE
    [0x8d, () => stack.push(text(u64()))], // BINUNICODE8
    [0x54, () => stack.push(text(u32()))], // BINSTRING
    [0x55, () => stack.push(text(u8()))], // SHORT_BINSTRING
    [0x42, () => opaque(0, u32())], // BINBYTES
    [0x43, () => opaque(0, u8())], // SHORT_BINBYTES
    [0x5d, () => stack.push([])], // EMPTY_LIST
    [0x6c, () => stack.push(sinceMark())], // LIST
    [0x7d, () => stack.push(new Map())], // EMPTY_DICT
    [0x29, () => stack.push([])], // EMPTY_TUPLE
    [0x74, () => stack.push(sinceMark())], // TUPLE
    [0x85, () => stack.push([pop()])], // TUPLE1
    [0x86, () => stack.push([pop(), pop()].reverse())], // TUPLE2
    [0x87, () => stack.push([pop(), pop(), pop()].reverse())], // TUPLE3
    [0x8f, () => stack.push([])], // EMPTY_SET
    [0x90, () => append(sinceMark())], // ADDITEMS
    [0x61, () => append([pop()])], // APPEND
    [0x65, () => append(sinceMark())], // APPENDS
    [0x73, () => set([pop(), pop()].reverse())], // SETITEM
    [0x75, () => set(sinceMark())], // SETITEMS
    [0x71, () => memo.set(u8(), stack[stack.length - 1])], // BINPUT
    [0x72, () => memo.set(u32(), stack[stack.length - 1])], // LONG_BINPUT
    [0x94, () => memo.set(memo.size, stack[stack.length - 1])], // MEMOIZE
    [0x68, () => stack.push(memo.get(u8()))], // BINGET
    [0x6a, () => stack.push(memo.get(u32()))], // LONG_BINGET
    [0x63, () => [line(), line(), opaque(0)]], // GLOBAL
    [0x93, () => opaque(2)], // STACK_GLOBAL
    [0x52, () => opaque(2)], // REDUCE
    [0x81, () => opaque(2)], // NEWOBJ
    [0x62, () => build(pop())], // BUILD
    [0x51, () => opaque(1)], // BINPERSID
  ]);
  for (;;) {
    const code = u8();
    if (code === 0x2e) return plain(pop(), new Map());
    const operation = operations.get(code);
    if (operation === undefined)
      throw new DataError(`the pickle holds the operation 0x${code.toString(16)}, unknown here`);
    operation();
  }
}

const deepest = 200;

/** Dictionaries as records; what a pickle shares stays shared, so that a small one cannot unfold to any size. */
function plain(value: unknown, known: Map<unknown, unknown>, depth = 0): unknown {
  if (depth > deepest) throw new DataError(`the pickle is nested more than ${deepest} deep`);
  if (!(value instanceof Map) && !Array.isArray(value)) return value === mark ? undefined : value;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const item of value) list.push(plain(item, known, depth + 1));
    return list;
  }
  const record: Record<string, unknown> = Object.create(null);
  known.set(value, record);
  for (const [key, item] of value) if (typeof key === "string") record[key] = plain(item, known, depth + 1);
  return record;
}
