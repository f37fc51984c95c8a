// What a model reasons in: English, or the terse language of small models, whose steps name their primitive.

export const languages = ["english", "terse"] as const;
export type Language = (typeof languages)[number];
