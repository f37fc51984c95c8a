// What Node's programs find without asking for it.
export { Buffer } from "./buffer.ts";

export const process = {
  pid: 1,
  env: {} as Record<string, string | undefined>,
  argv: [] as string[],
  platform: "linux",
  cwd: () => "/",
  kill: () => true,
};

/** A clock that can be let go: here none keeps anything alive. */
type Clock = number & { unref(): Clock; ref(): Clock };
const clock = (id: unknown): Clock => {
  const own = Object.assign(Object(Number(id)) as Clock, { unref: () => own, ref: () => own });
  return own;
};

export const setTimeout = (work: () => void, milliseconds?: number): Clock =>
  clock(globalThis.setTimeout(work, milliseconds));
export const setInterval = (work: () => void, milliseconds?: number): Clock =>
  clock(globalThis.setInterval(work, milliseconds));
export const clearTimeout = (own?: Clock): void => globalThis.clearTimeout(Number(own));
export const clearInterval = (own?: Clock): void => globalThis.clearInterval(Number(own));
