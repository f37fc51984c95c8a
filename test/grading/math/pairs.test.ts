// The table of pairs: what is equal in mathematics is graded equal, however it is spelled, and near misses are not.
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { pairs } from "./pairs.ts";

describe.each(Object.entries(pairs))("%s", (_, { equal, different }) => {
  it.each(equal.map(([gold, response]) => ({ gold, response })))("$gold equals $response", ({ gold, response }) => {
    expect(gradeMath(gold, response)).toMatchObject({ verdict: "equal" });
  });

  it.each(different.map(([gold, response]) => ({ gold, response })))("$gold is not $response", ({ gold, response }) => {
    expect(gradeMath(gold, response)).toMatchObject({ verdict: "different" });
  });
});
