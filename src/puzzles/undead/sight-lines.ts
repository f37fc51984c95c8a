// The lines of sight through a maze of mirrors: every line joins two edge positions, so one record serves both ends.
// Flat arrays that are traced again in place, because generating looks at hundreds of mazes for one puzzle.

/**
 * How a line meets a cell. Before its first mirror, after its last one, between the two, or, where the cell is crossed
 * twice, a pair of these; a line without mirrors is `straight`. One straight stretch never meets itself.
 */
const kindNames = [
  "straight",
  "before",
  "between",
  "after",
  "before+between",
  "before+after",
  "between+after",
  "between+between",
] as const;
export const kindCount = kindNames.length;

/** Seen [from the start, from the end] by the kind of meeting and the monster: ghost, vampire, zombie. */
const seenOnce: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  straight: [
    [0, 0],
    [1, 1],
    [1, 1],
  ],
  before: [
    [0, 1],
    [1, 0],
    [1, 1],
  ],
  between: [
    [1, 1],
    [0, 0],
    [1, 1],
  ],
  after: [
    [1, 0],
    [0, 1],
    [1, 1],
  ],
};

/** At `kind * 3 + monster`. */
export const seenFromStart = new Uint8Array(kindCount * 3);
export const seenFromEnd = new Uint8Array(kindCount * 3);
/** How often the line passes a cell of this kind. */
export const passesOf = new Uint8Array(kindCount);
/** At `first * kindCount + second`: the kind of a cell that is met in both ways. */
const metTwice = new Uint8Array(kindCount * kindCount);

for (const [kind, name] of kindNames.entries()) {
  const meetings = name.split("+");
  passesOf[kind] = meetings.length;
  for (const meeting of meetings) {
    for (let monster = 0; monster < 3; monster++) {
      seenFromStart[kind * 3 + monster] += seenOnce[meeting][monster][0];
      seenFromEnd[kind * 3 + monster] += seenOnce[meeting][monster][1];
    }
  }
  if (meetings.length === 2) {
    const [first, second] = meetings.map((meeting) => kindNames.indexOf(meeting as (typeof kindNames)[number]));
    metTwice[first * kindCount + second] = kind;
  }
}

const [straight, before, between, after] = [0, 1, 2, 3];

/** A cell of the padded grid. */
export const open = 0;
export const backslash = 1;
export const slash = 2;
const outside = 3;

export type SightLines = {
  readonly width: number;
  readonly height: number;
  readonly lineCount: number;
  /** `open`, `backslash`, `slash`, with a border of `outside`; write with `setCell`, then trace. */
  readonly grid: Uint8Array;
  /** Cells that hold monsters are numbered row by row; this many are in use. */
  monsterCount: number;
  readonly cellOfMonster: Int32Array;
  /** Line `l` meets `members[starts[l]] … members[starts[l + 1] - 1]`, each monster cell once, in order of first meeting. */
  readonly starts: Int32Array;
  readonly members: Int32Array;
  readonly kinds: Uint8Array;
  /** The edge positions of a line's start and end. */
  readonly startEdges: Int32Array;
  readonly endEdges: Int32Array;
  /** Lines with the fewest cells first, in the order of their start edges among equals. */
  readonly order: Int32Array;
  /** At `monster * 2` and `monster * 2 + 1`: the positions in `members` where it stands; the second is -1 where it has one line only. */
  readonly places: Int32Array;
  /** At the same index as `members`: the line. */
  readonly lineOfPlace: Int32Array;
  readonly edges: { readonly of: Int32Array; readonly cell: Int32Array; readonly direction: Uint8Array };
  readonly scratch: {
    readonly passed: Int32Array;
    readonly stretch: Int32Array;
    readonly known: Int32Array;
    readonly monsterOfCell: Int32Array;
    readonly ended: Uint8Array;
  };
};

/** Directions: 0 up, 1 right, 2 down, 3 left. A backslash turns d into 3 - d, a slash into d ^ 1. */
export function createSightLines(width: number, height: number): SightLines {
  const area = width * height;
  const stride = width + 2;
  const lineCount = width + height;
  const grid = new Uint8Array(stride * (height + 2)).fill(outside);
  const edgeOf = new Int32Array(grid.length).fill(-1);
  const edgeCell = new Int32Array(2 * lineCount);
  const direction = new Uint8Array(2 * lineCount);
  const setEdge = (edge: number, row: number, column: number, looking: number) => {
    edgeCell[edge] = row * stride + column;
    edgeOf[edgeCell[edge]] = edge;
    direction[edge] = looking;
  };
  for (let column = 0; column < width; column++) {
    setEdge(column, 0, column + 1, 2);
    setEdge(2 * width + height - 1 - column, height + 1, column + 1, 0);
  }
  for (let row = 0; row < height; row++) {
    setEdge(width + row, row + 1, width + 1, 3);
    setEdge(2 * lineCount - 1 - row, row + 1, 0, 1);
  }
  return {
    width,
    height,
    lineCount,
    grid,
    monsterCount: 0,
    cellOfMonster: new Int32Array(area),
    starts: new Int32Array(lineCount + 1),
    members: new Int32Array(2 * area),
    kinds: new Uint8Array(2 * area),
    startEdges: new Int32Array(lineCount),
    endEdges: new Int32Array(lineCount),
    order: new Int32Array(lineCount),
    places: new Int32Array(2 * area),
    lineOfPlace: new Int32Array(2 * area),
    edges: { of: edgeOf, cell: edgeCell, direction },
    scratch: {
      passed: new Int32Array(2 * area),
      stretch: new Int32Array(2 * area),
      known: new Int32Array(area),
      monsterOfCell: new Int32Array(grid.length),
      ended: new Uint8Array(2 * lineCount),
    },
  };
}

/** The lines of a maze written as one character a cell. */
export function sightLinesOf(width: number, height: number, cells: string): SightLines {
  const lines = createSightLines(width, height);
  for (let cell = 0; cell < cells.length; cell++) {
    const symbol = cells[cell];
    setCell(lines, cell, symbol === "\\" ? backslash : symbol === "/" ? slash : open);
  }
  traceSightLines(lines);
  return lines;
}

export function setCell(lines: SightLines, cell: number, content: number): void {
  const row = Math.floor(cell / lines.width);
  lines.grid[(row + 1) * (lines.width + 2) + (cell - row * lines.width) + 1] = content;
}

/** Follows every line through the grid as it is now. */
export function traceSightLines(lines: SightLines): void {
  const { width, height, lineCount, grid, members, kinds, starts, places, lineOfPlace } = lines;
  const { passed, stretch, known, monsterOfCell, ended } = lines.scratch;
  const { of: edgeOf, cell: edgeCell, direction } = lines.edges;
  const stride = width + 2;

  let monsters = 0;
  for (let row = 0, cell = 0; row < height; row++) {
    for (let at = (row + 1) * stride + 1, end = at + width; at < end; at++, cell++) {
      if (grid[at] !== open) continue;
      lines.cellOfMonster[monsters] = cell;
      known[monsters] = -1;
      places[2 * monsters] = -1;
      places[2 * monsters + 1] = -1;
      monsterOfCell[at] = monsters++;
    }
  }
  lines.monsterCount = monsters;

  ended.fill(0);
  let line = 0;
  let place = 0;
  for (let edge = 0; edge < 2 * lineCount; edge++) {
    if (ended[edge] === 1) continue;
    let at = edgeCell[edge];
    let looking = direction[edge];
    let mirrors = 0;
    let length = 0;
    for (;;) {
      at += looking === 0 ? -stride : looking === 1 ? 1 : looking === 2 ? stride : -1;
      const content = grid[at];
      if (content === open) {
        passed[length] = monsterOfCell[at];
        stretch[length++] = mirrors;
      } else if (content === outside) break;
      else {
        looking = content === backslash ? 3 - looking : looking ^ 1;
        mirrors++;
      }
    }
    const end = edgeOf[at];
    ended[end] = 1;
    lines.startEdges[line] = edge;
    lines.endEdges[line] = end;
    starts[line] = place;
    const first = place;
    for (let i = 0; i < length; i++) {
      const monster = passed[i];
      const meeting = mirrors === 0 ? straight : stretch[i] === 0 ? before : stretch[i] === mirrors ? after : between;
      const earlier = known[monster];
      if (earlier >= first) {
        kinds[earlier] = metTwice[kinds[earlier] * kindCount + meeting];
        continue;
      }
      known[monster] = place;
      places[2 * monster + (places[2 * monster] < 0 ? 0 : 1)] = place;
      lineOfPlace[place] = line;
      members[place] = monster;
      kinds[place++] = meeting;
    }
    line++;
  }
  starts[lineCount] = place;
  sortByLength(lines);
}

function sortByLength({ lineCount, starts, order }: SightLines): void {
  for (let line = 0; line < lineCount; line++) {
    const length = starts[line + 1] - starts[line];
    let at = line;
    for (; at > 0; at--) {
      const other = order[at - 1];
      if (starts[other + 1] - starts[other] <= length) break;
      order[at] = other;
    }
    order[at] = line;
  }
}

/** What is seen from every edge position, clockwise, when monster `m` is of kind `monsters[m]` (0 ghost, 1 vampire, 2 zombie). */
export function sightingsOf(lines: SightLines, monsters: ArrayLike<number>, seen: Int32Array): void {
  const { lineCount, starts, members, kinds, startEdges, endEdges } = lines;
  for (let line = 0; line < lineCount; line++) {
    let fromStart = 0;
    let fromEnd = 0;
    for (let place = starts[line]; place < starts[line + 1]; place++) {
      const entry = kinds[place] * 3 + monsters[members[place]];
      fromStart += seenFromStart[entry];
      fromEnd += seenFromEnd[entry];
    }
    seen[startEdges[line]] = fromStart;
    seen[endEdges[line]] = fromEnd;
  }
}
