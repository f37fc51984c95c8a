// A span without a word or a number, like the rows of dots some models fall into, does no reasoning, whatever weights say.
const wordOrNumber = /[\p{L}\p{N}]/u;

export const isWordless = (text: string): boolean => !wordOrNumber.test(text);
