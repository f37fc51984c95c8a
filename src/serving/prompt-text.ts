// A prompt as text, whichever form a trainer has it in: text, or messages with text or parts of it.
import { z } from "zod";

const messagesSchema = z.array(
  z.looseObject({ content: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]) }),
);

export function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  const messages = messagesSchema.safeParse(prompt);
  if (!messages.success) return "";
  return messages.data
    .map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("")))
    .join("\n\n");
}
