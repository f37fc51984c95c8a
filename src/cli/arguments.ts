// How flags are read where commander needs help.
import { InvalidArgumentError } from "commander";
import type { Price } from "../endpoints/endpoint.ts";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError("expected a whole number");
  return value;
}

/** How many of something that there is no work without. */
export function count(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("expected at least 1");
  return value;
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError("expected a number above 0");
  return value;
}

/** From 0 to below 1. */
export function shareOf(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value < 1))
    throw new InvalidArgumentError("expected a share from 0 to below 1, such as 0.1");
  return value;
}

/** Per million tokens. */
export function readPrice(text: string): Price {
  const [prompt, completion, cachedPrompt] = text.split(",").map(Number);
  if (![prompt, completion].every((price) => price >= 0)) {
    throw new InvalidArgumentError(
      "expected prices per million tokens: prompt,completion or prompt,completion,cached-prompt",
    );
  }
  return { prompt, completion, ...(cachedPrompt >= 0 && { cachedPrompt }) };
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
