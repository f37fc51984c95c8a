// A smaller set that is the same for everyone who asks with the same seed, in the order of the whole.
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";

export function subset<T>(items: readonly T[], count: number, seed: number | string): T[] {
  if (count > items.length)
    throw new ConfigurationError(`a subset of ${count} was asked for, there are only ${items.length}`);
  const order = Random.from(seed).child("subset").shuffle(Uint32Array.from(items.keys()));
  return [...order.subarray(0, count)].sort((a, b) => a - b).map((index) => items[index]);
}
