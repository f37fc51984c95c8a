// Bridges for the narrating teacher: an unknown is how many bridges join two neighboring islands, an island wants its
// number, two spans that cross exclude each other, and the finished board must hang together.

import {
  allOf,
  type Constraint,
  type ConstraintModel,
  decidedValue,
  isDecided,
  type Possible,
  valuesOf,
} from "../constraint-model.ts";
import { placeOf, writeGrid } from "../grid-text.ts";
import { type BridgesInstance, clueSymbol, horizontalSymbols, verticalSymbols, water } from "./instance.ts";
import { bridgesIn, type Span, spansOf } from "./spans.ts";

export function bridgesModel(instance: BridgesInstance): ConstraintModel {
  const { width, clues, maxBridges } = instance;
  const spans = spansOf(instance);
  const given = clues.map((clue) => (clue > 0 ? clueSymbol(clue) : water));
  const islands = [...clues.keys()].filter((cell) => clues[cell] > 0);
  const name = (cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
  const most = (island: number, span: Span) => Math.min(maxBridges, clues[island], clues[span.from], clues[span.to]);

  const count = (possible: Possible): string => {
    if (isDecided(possible)) return String(decidedValue(possible));
    return (possible & 1) === 0 ? "+" : possible === allOf(maxBridges + 1) ? "?" : "-";
  };
  const place = (cell: number) => placeOf(cell, width);
  const between = ({ from, to }: Span) => `from ${place(from)} to ${place(to)}`;
  const side = (island: number, { from, across }: Span) =>
    from === island ? (across ? "to the right" : "below") : across ? "to the left" : "above";
  const counts = (possible: Possible) => valuesOf(possible).join(" or ");
  const around = (island: number): Constraint => {
    const scope = [...spans.keys()].filter((s) => spans[s].from === island || spans[s].to === island);
    const other = (s: number) => (spans[s].from === island ? spans[s].to : spans[s].from);
    const room = scope.map((s) => most(island, spans[s]));
    return {
      name: name(island),
      rule: "island-count",
      clue: String(clues[island]),
      scope,
      cells: [island],
      kept: (values) => values.reduce((total, value) => total + value, 0) === clues[island],
      compatible: (values) => {
        const sum = values.reduce((total, value) => total + value, 0);
        const left = room.slice(values.length).reduce((total, value) => total + value, 0);
        return sum <= clues[island] && sum + left >= clues[island];
      },
      show: (possible) => scope.map((s, i) => `${name(other(s))} ${count(possible[i])}`).join(" "),
      prose: {
        title: `the island at ${place(island)}`,
        demand: `it wants ${clues[island]} bridge${clues[island] === 1 ? "" : "s"}`,
        tell: (possible) => scope.map((s, i) => `${side(island, spans[s])} ${counts(possible[i])}`).join(", "),
        found: (values) => `it has ${values.reduce((total, value) => total + value, 0)}`,
      },
    };
  };
  const pair = (s: number) => `${name(spans[s].from)} ${name(spans[s].to)}`;
  const crossings: Constraint[] = [];
  for (const [a, first] of spans.entries()) {
    for (const [b, second] of spans.entries()) {
      if (a >= b || first.across === second.across || !first.cells.some((cell) => second.cells.includes(cell)))
        continue;
      crossings.push({
        name: "cross",
        clue: "",
        scope: [a, b],
        compatible: ([one, two = 0]) => one === 0 || two === 0,
        show: ([one, two]) => `${pair(a)} ${count(one)} ; ${pair(b)} ${count(two)}`,
        prose: {
          title: "the place where two spans cross",
          demand: "only one of them can carry bridges",
          tell: ([one, two]) => `${between(first)} ${counts(one)}, ${between(second)} ${counts(two)}`,
        },
      });
    }
  }
  const constraints = [...islands.map(around), ...crossings];
  return {
    puzzle: "bridges",
    prompt: [`bridges ${width} ${instance.height}`, ...islands.map((cell) => `${name(cell)} ${clues[cell]}`)].join(
      "\n",
    ),
    start: spans.map((span) => allOf(most(span.from, span) + 1)),
    constraints,
    wholeBoard: [
      {
        name: "joined",
        rule: "connected",
        broken: "some islands cannot be reached from the others",
        cells: (values) => islands.filter((island) => !reachedFrom(islands[0], spans, values).has(island)),
        show: (values) => spans.flatMap((_, s) => (values[s] > 0 ? [pair(s)] : [])).join(" ; "),
        question: "do all islands hang together?",
        holds: (values) => reachedFrom(islands[0], spans, values).size === islands.length,
      },
      ...(instance.loops === "forbidden"
        ? [
            {
              name: "loops",
              rule: "no-loops",
              broken: "loops are forbidden, and there is one",
              show: () => "",
              question: "is there no loop?",
              holds: (values: readonly number[]) => values.filter((value) => value > 0).length < islands.length,
            },
          ]
        : []),
    ],
    valuesOf: (cells) => bridgesIn(instance, given, spans, cells),
    cellsOf: (s) => spans[s].cells,
    lastLook: [],
    showAll: (possible) => spans.map((_, s) => `${pair(s)} ${count(possible[s])}`).join(" ; "),
    tellAll: (possible) => spans.map((span, s) => `${between(span)}: ${counts(possible[s])}`).join("; "),
    introduction: `There are ${islands.length} islands and ${spans.length} places where bridges can run; I look for how many run in each`,
    answer: (values) => {
      const cells = [...given];
      for (const [s, span] of spans.entries()) {
        if (values[s] === 0) continue;
        for (const cell of span.cells) cells[cell] = (span.across ? horizontalSymbols : verticalSymbols)[values[s]];
      }
      return writeGrid(cells, width);
    },
  };
}

function reachedFrom(start: number, spans: readonly Span[], values: readonly number[]): Set<number> {
  const reached = new Set([start]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const [s, { from, to }] of spans.entries()) {
      if (values[s] > 0 && (reached.has(from) || reached.has(to))) reached.add(from).add(to);
    }
  }
  return reached;
}
