// How flags are read where commander needs help.
import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError("expected a whole number");
  return value;
}
