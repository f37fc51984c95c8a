// What all placements of a line's runs agree on, for lines too long for narrow-line.ts: which beginnings the first runs
// can fill, which ends the others can, and where the two meet.
import { empty, full, type Mark, unknown } from "./mark.ts";

/**
 * About a line of `values` that begins at `start` and goes on every `step`: a mark for each place. Undefined when there is
 * no placement.
 */
export function deduceWide(
  runs: ArrayLike<number>,
  first: number,
  last: number,
  values: Uint8Array,
  start: number,
  step: number,
  length: number,
): Uint8Array | undefined {
  const count = last - first;
  const size = length + 1;
  const valueAt = (place: number) => values[start + place * step];
  /** How many cells before and at a place are not known to be empty, without a break. */
  const room = new Int32Array(size);
  for (let place = 0; place < length; place++) room[place + 1] = valueAt(place) === empty ? 0 : room[place] + 1;

  // At `placed * size + place`: whether the first runs fill the places before, or the other runs those from there on.
  const before = new Uint8Array((count + 1) * size);
  const after = new Uint8Array((count + 1) * size);
  before[0] = 1;
  for (let placed = 0; placed <= count; placed++) {
    const run = placed === 0 ? 0 : runs[first + placed - 1];
    for (let place = 1; place <= length; place++) {
      const at = placed * size + place;
      if (before[at - 1] === 1 && valueAt(place - 1) !== full) before[at] = 1;
      else if (placed > 0 && room[place] >= run) before[at] = endsWith(placed, place - run);
    }
  }
  /** Whether the runs before this one leave room for it to begin at a place, behind an empty cell or at the edge. */
  function endsWith(placed: number, begin: number): number {
    if (begin === 0) return placed === 1 ? 1 : 0;
    return valueAt(begin - 1) === full ? 0 : before[(placed - 1) * size + begin - 1];
  }
  after[count * size + length] = 1;
  for (let placed = count; placed >= 0; placed--) {
    const run = placed === count ? 0 : runs[first + placed];
    for (let place = length - 1; place >= 0; place--) {
      const at = placed * size + place;
      const end = place + run;
      if (after[at + 1] === 1 && valueAt(place) !== full) after[at] = 1;
      else if (placed < count && end <= length && room[end] >= run)
        after[at] =
          end === length
            ? placed === count - 1
              ? 1
              : 0
            : valueAt(end) === full
              ? 0
              : after[(placed + 1) * size + end + 1];
    }
  }
  if (after[0] === 0) return undefined;

  /** Where covered stretches begin and end, to be added up. */
  const covers = new Int32Array(size + 1);
  const mayBeEmpty = new Uint8Array(length);
  for (let placed = 0; placed <= count; placed++)
    for (let place = 0; place < length; place++) {
      if (before[placed * size + place] === 1 && valueAt(place) !== full && after[placed * size + place + 1] === 1)
        mayBeEmpty[place] = 1;
      const end = placed < count ? place + runs[first + placed] : size;
      if (end > length || room[end] < end - place || endsWith(placed + 1, place) === 0) continue;
      const goesOn =
        end === length ? placed === count - 1 : valueAt(end) !== full && after[(placed + 1) * size + end + 1] === 1;
      if (!goesOn) continue;
      covers[place]++;
      covers[end]--;
    }
  let covering = 0;
  return Uint8Array.from(mayBeEmpty, (isEmpty, place): Mark | typeof unknown => {
    covering += covers[place];
    return covering === 0 ? empty : isEmpty === 0 ? full : unknown;
  });
}
