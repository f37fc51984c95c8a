// Property tests draw the same cases in every run, so that a change is judged by itself and not by its luck.
// PROPERTY_SEED=random looks for new ones (a failure names its seed), PROPERTY_SEED=<number> repeats one.
import fc from "fast-check";

const asked = process.env.PROPERTY_SEED ?? "20";
if (asked !== "random") {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${asked}"; it takes an integer or "random"`);
  fc.configureGlobal({ seed });
}
