// Of Node's other modules, what reading and analyzing name.

// node:os
export const hostname = (): string => "tab";
/** More would hold more files in memory at once. */
const mostThreads = 4;
export const availableParallelism = (): number =>
  Math.min(
    mostThreads,
    (globalThis as unknown as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ?? 1,
  );

// node:timers/promises
export { pause as setTimeout };

const pause = <Value>(milliseconds: number, value?: Value): Promise<Value> =>
  new Promise((resolve) => globalThis.setTimeout(() => resolve(value as Value), milliseconds));

// node:util
export const promisify =
  (work: (...values: unknown[]) => void) =>
  (...values: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      work(...values, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
    });

export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepStrictEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

// node:url
export const fileURLToPath = (url: string | URL): string => decodeURIComponent(new URL(url).pathname);

// node:events
export const setMaxListeners = (): void => {};

// node:child_process, node:module: nothing can be started or found here.
export function execFileSync(): never {
  throw new Error("a page starts no programs");
}
export const createRequire = () => ({
  resolve: (name: string): never => {
    throw Object.assign(new Error(`${name} is not part of this page`), { code: "MODULE_NOT_FOUND" });
  },
});
