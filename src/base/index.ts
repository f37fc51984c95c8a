// What users of the library may need from the base.
export * from "./errors.ts";
export * from "./random.ts";
