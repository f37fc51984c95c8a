// Rotary position embedding (Su et al. 2021, arXiv:2104.09864) over batch x heads x length x size: the first half of a
// head turns against the second. The tables hold the cosine and sine of each position (rows) and frequency.
import type { Value } from "../builder.ts";
import { negate, rotate } from "../operators.ts";
import type { Tape } from "../tape.ts";

export type RotaryTables = { readonly cosines: Value; readonly sines: Value };

export function rotary(tape: Tape, x: Value, tables: RotaryTables, positions: Value): Value {
  const g = tape.graph;
  const y = rotate(g, x, positions, tables.cosines, tables.sines);
  tape.record(y, [x], (dy, contribute) => {
    // The transpose of a rotation turns back; a scaled table (YaRN) scales both ways alike.
    const back = g.once(`minus ${tables.sines.name}`, () => negate(g, tables.sines));
    contribute(x, (soFar) => tape.sum(soFar, rotate(g, dy, positions, tables.cosines, back)));
  });
  return y;
}
