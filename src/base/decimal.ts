// Numbers as people type them, into flags, weights and settings: one reading for all of them.

/**
 * Decimal digits with an optional fraction, exponent and sign, and blanks around them; nothing else is a number. `Number` itself
 * would also read 0x1, 0b1 and an empty text.
 */
export function decimal(text: string): number | undefined {
  const written = /^ *([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) *$/.exec(text)?.[1];
  const value = Number(written);
  return written === undefined || !Number.isFinite(value) ? undefined : value;
}
