// What a reward must not be had for, and what must not be refused, by family of mistake.
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { families } from "./families.ts";

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 30)}…${text.slice(-20)}` : text);

describe.each(Object.entries(families))("%s", (_, { equal, notEqual }) => {
  it.each(equal.map(([gold, response]) => [shown(gold), shown(response), gold, response] as const))(
    "%s is paid for %s",
    (_gold, _response, gold, response) => {
      expect(gradeMath(gold, response)).toMatchObject({ verdict: "equal" });
    },
  );

  it.each(notEqual.map(([gold, response]) => [shown(gold), shown(response), gold, response] as const))(
    "%s is not paid for %s",
    (_gold, _response, gold, response) => {
      expect(gradeMath(gold, response).verdict).not.toBe("equal");
    },
  );
});
