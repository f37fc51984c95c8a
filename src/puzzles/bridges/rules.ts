// The rules as whoever solves a board is told them, with the symbols of boards and answers.
import { horizontalSymbols, verticalSymbols } from "./instance.ts";

const symbolList = ["one", "two", "three", "four"]
  .map((count, index) => `${count}: ${horizontalSymbols[index + 1]} or ${verticalSymbols[index + 1]}`)
  .join("; ");

export const rules = `Bridges (Hashiwokakero). Connect all islands with bridges.

The board is a grid. A number is an island; a dot is water. Islands with 10 to 16 bridges are written A to G.
1. A bridge runs in a straight line, horizontally or vertically, from one island to the next island in its row or column. It passes over water only, never over an island, and ends at an island on both sides.
2. Each island's number is the number of bridges that end at it.
3. Between two neighbouring islands there may be no bridge, one bridge or two parallel bridges. If a line above the board gives another maximum, that maximum holds instead of two.
4. Bridges do not cross each other.
5. Every island can be reached from every other island over bridges.
6. Bridges may form loops, unless a line above the board says that loops are forbidden. Then no tour over different bridges leads back to where it began; parallel bridges between the same two islands do not count as a loop.

The answer is the same grid and nothing above it, one row per line, cells separated by spaces. Islands stay exactly as they are. Every water cell under a bridge shows how many parallel bridges run over it, with one symbol for horizontal and one for vertical bridges (${symbolList}). All cells between the two islands show the same symbol. Water without a bridge stays a dot.`;
