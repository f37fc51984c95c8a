// What the text of an answer is split into.
import type { Rational } from "../numbers/rational.ts";

export type TokenType =
  | "number"
  | "name"
  | "function"
  | "command"
  | "text"
  | "open"
  | "close"
  | "bar"
  | "operator"
  | "relation"
  | "separator"
  | "set-operator"
  | "arrow"
  | "end";

export type Token = {
  readonly type: TokenType;
  readonly text: string;
  readonly value?: Rational;
  readonly places?: number;
  /** White space stood before it. */
  readonly spaced: boolean;
};

export type Mark = { readonly type: TokenType; readonly text: string };

/** The text is not mathematics that we can read; the message says where it stopped making sense. */
export class Unreadable extends Error {}
