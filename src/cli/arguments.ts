// How flags are read where commander needs help.
import { InvalidArgumentError } from "commander";
import type { z } from "zod";
import { decimal } from "../base/decimal.ts";
import { ConfigurationError, messageOf, schemaProblems } from "../base/errors.ts";
import type { Price } from "../endpoints/endpoint.ts";
import { plainEngineAddress } from "../engine/tinker/checkpoint-paths.ts";

/** A decimal number within bounds, or what was expected. */
export function numberWithin(text: string, within: (value: number) => boolean, expected: string): number {
  const value = decimal(text);
  if (value === undefined || !within(value)) throw new InvalidArgumentError(`expected ${expected}`);
  return value;
}

export const wholeNumber = (text: string): number =>
  numberWithin(text, (value) => Number.isSafeInteger(value) && value >= 0, "a whole number, such as 10");

/** How many of something that there is no work without. */
export function count(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("expected at least 1");
  return value;
}

/** 0 asks for a free one. */
export const port = (text: string): number =>
  numberWithin(text, (value) => Number.isInteger(value) && value >= 0 && value <= 65535, "a port from 0 to 65535");

export const positive = (text: string): number => numberWithin(text, (value) => value > 0, "a number above 0");

export const atLeastZero = (text: string): number =>
  numberWithin(text, (value) => value >= 0, "a number of at least 0");

/** From 0 to 1. */
export const share = (text: string): number =>
  numberWithin(text, (value) => value >= 0 && value <= 1, "a share from 0 to 1, such as 0.1");

/** From 0 to below 1. */
export const shareOf = (text: string): number =>
  numberWithin(text, (value) => value >= 0 && value < 1, "a share from 0 to below 1, such as 0.1");

/** Read before anything is made or said of it. */
export const engineAddress = (text: string): string => (text === "embedded" ? text : plainEngineAddress(text));

/** Per million tokens. */
export function readPrice(text: string): Price {
  const prices = text.split(",").map(decimal);
  const [prompt, completion, cachedPrompt] = prices as number[];
  if (![2, 3].includes(prices.length) || prices.some((price) => price === undefined || price < 0)) {
    throw new InvalidArgumentError(
      "expected prices per million tokens: prompt,completion or prompt,completion,cached-prompt",
    );
  }
  return { prompt, completion, ...(cachedPrompt !== undefined && { cachedPrompt }) };
}

/** A flag that may be given several times. */
export function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** `2-4`, both included. */
export function range(text: string): [number, number] {
  const [, from, to] = text.match(/^(\d+)-(\d+)$/) ?? [];
  if (from === undefined || Number(from) > Number(to)) throw new InvalidArgumentError("expected from-to, like 2-4");
  return [Number(from), Number(to)];
}

/** `31..35`, both included, or `31,33`: at least two different ones. */
export function seedList(text: string): number[] {
  const expected = new InvalidArgumentError("expected at least two seeds, like 31..35 or 31,33");
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  if (from === undefined && !/^\d{1,9}(,\d{1,9})+$/.test(text)) throw expected;
  if (Number(to) - Number(from) >= 1_000) throw new InvalidArgumentError("expected at most a thousand seeds");
  const seeds =
    from === undefined
      ? [...new Set(text.split(",").map(Number))]
      : Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, i) => Number(from) + i);
  if (seeds.length < 2) throw expected;
  return seeds;
}

/** What a flag gives as JSON, in itself or in a file, in the form that a schema says. */
export function readJsonFlag<T>(flag: string, schema: z.ZodType<T>, read: () => unknown): T {
  let given: unknown;
  try {
    given = read();
  } catch (error) {
    throw new ConfigurationError(`${flag}: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(`${flag}: ${schemaProblems(parsed.error)}`);
  return parsed.data;
}
