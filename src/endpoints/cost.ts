// What a reply cost.
import type { Price } from "./endpoint.ts";
import type { Reply } from "./reply.ts";

/** Undefined where there is no price or the server did not count its tokens: an unknown cost is not zero. */
export function replyCost(price: Price | undefined, reply: Reply): number | undefined {
  const { promptTokens, completionTokens, cachedPromptTokens = 0 } = reply;
  if (price === undefined || promptTokens === undefined || completionTokens === undefined) return undefined;
  const fresh = promptTokens - cachedPromptTokens;
  const cachedPrice = price.cachedPrompt ?? price.prompt;
  return (fresh * price.prompt + cachedPromptTokens * cachedPrice + completionTokens * price.completion) / 1e6;
}
