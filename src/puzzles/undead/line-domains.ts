// What one line of sight says about its cells: keeps exactly the monsters that occur in some filling of the line which
// shows the right number from both ends and uses no more of any monster than are left.
//
// Cells that the line meets in the same way and that may hold the same monsters are interchangeable, so what is tried
// is how many of each monster a group of such cells gets, and trying stops once every monster has been seen to occur.
import type { Deduction } from "./deduction.ts";
import { kindCount, seenFromEnd, seenFromStart } from "./sight-lines.ts";

const domainCount = 8;
const mostGroups = kindCount * domainCount;

// The groups of the line at hand. Deduction is synchronous, so one set serves every caller.
let groups = 0;
const sizes = new Int32Array(mostGroups);
const kindsOf = new Uint8Array(mostGroups);
const domainsOf = new Uint8Array(mostGroups);
const groupOfKey = new Int8Array(mostGroups);
/** Monsters that were found to occur in some filling, and how many are not yet found in all groups together. */
const supported = new Uint8Array(mostGroups);
let missing = 0;

// What the groups from here on can show at least and at most: from the start, from the end, from both together, and
// from the start more than from the end. These four directions bound what any kind of cell can show.
const leastStart = new Int32Array(mostGroups + 1);
const mostStart = new Int32Array(mostGroups + 1);
const leastEnd = new Int32Array(mostGroups + 1);
const mostEnd = new Int32Array(mostGroups + 1);
const leastBoth = new Int32Array(mostGroups + 1);
const leastLead = new Int32Array(mostGroups + 1);
const mostLead = new Int32Array(mostGroups + 1);
/** How many cells from here on could hold a monster, at `group * 3 + monster`: more than that is never needed. */
const could = new Int32Array(3 * (mostGroups + 1));

// A line with this many ways to share out its monsters is tried with a memory of what was tried before.
const manyWays = 2_000;
const tried = new Map<number, boolean>();
let remembering = false;

const sizeOfDomain = [0, 1, 1, 2, 1, 2, 2, 3];

/** Narrows the domains of the cells on a line. False when no filling of the line is left. */
export function narrowLine(deduction: Deduction, line: number): boolean {
  const { lines, seen, domains, left } = deduction;
  const { members, kinds } = lines;
  const [first, stop] = [lines.starts[line], lines.starts[line + 1]];
  const allowed = (left[0] > 0 ? 1 : 0) | (left[1] > 0 ? 2 : 0) | (left[2] > 0 ? 4 : 0);
  let start = seen[lines.startEdges[line]];
  let end = seen[lines.endEdges[line]];
  groups = 0;
  groupOfKey.fill(-1);
  for (let place = first; place < stop; place++) {
    const domain = domains[members[place]];
    const kind = kinds[place];
    if ((domain & (domain - 1)) === 0) {
      const entry = kind * 3 + (domain >> 1);
      start -= seenFromStart[entry];
      end -= seenFromEnd[entry];
      continue;
    }
    const possible = domain & allowed;
    if (possible === 0) return false;
    const key = kind * domainCount + possible;
    const group = groupOfKey[key];
    if (group >= 0) sizes[group]++;
    else {
      groupOfKey[key] = groups;
      sizes[groups] = 1;
      kindsOf[groups] = kind;
      domainsOf[groups++] = possible;
    }
  }
  if (groups === 0) {
    deduction.noteCounts(line, 0, 0, 0);
    return start === 0 && end === 0;
  }
  prepareGroups();
  deduction.noteCounts(line, could[0], could[1], could[2]);
  if (start < leastStart[0] || start > mostStart[0] || end < leastEnd[0] || end > mostEnd[0]) return false;
  if (!share(0, start, end, left[0], left[1], left[2])) return false;

  for (let place = first; place < stop; place++) {
    const domain = domains[members[place]];
    if ((domain & (domain - 1)) === 0) continue;
    const kept = supported[groupOfKey[kinds[place] * domainCount + (domain & allowed)]];
    if (kept !== domain) deduction.restrict(members[place], kept, line);
  }
  return true;
}

/** Large groups first: they leave the least to try for the rest. */
function prepareGroups(): void {
  for (let group = 1; group < groups; group++) {
    const [size, kind, domain] = [sizes[group], kindsOf[group], domainsOf[group]];
    let at = group;
    for (; at > 0 && sizes[at - 1] < size; at--) {
      sizes[at] = sizes[at - 1];
      kindsOf[at] = kindsOf[at - 1];
      domainsOf[at] = domainsOf[at - 1];
      groupOfKey[kindsOf[at] * domainCount + domainsOf[at]] = at;
    }
    sizes[at] = size;
    kindsOf[at] = kind;
    domainsOf[at] = domain;
    groupOfKey[kind * domainCount + domain] = at;
  }

  leastStart[groups] = mostStart[groups] = leastEnd[groups] = mostEnd[groups] = 0;
  leastBoth[groups] = leastLead[groups] = mostLead[groups] = 0;
  could[3 * groups] = could[3 * groups + 1] = could[3 * groups + 2] = 0;
  missing = 0;
  let ways = 1;
  for (let group = groups - 1; group >= 0; group--) {
    const size = sizes[group];
    const domain = domainsOf[group];
    supported[group] = 0;
    missing += sizeOfDomain[domain];
    ways *= domain === 7 ? ((size + 1) * (size + 2)) / 2 : size + 1;
    let lowStart = 9;
    let highStart = 0;
    let lowEnd = 9;
    let highEnd = 0;
    let lowBoth = 9;
    let lowLead = 9;
    let highLead = -9;
    for (let monster = 0; monster < 3; monster++) {
      could[3 * group + monster] = could[3 * (group + 1) + monster];
      if (((domain >> monster) & 1) === 0) continue;
      could[3 * group + monster] += size;
      const fromStart = seenFromStart[kindsOf[group] * 3 + monster];
      const fromEnd = seenFromEnd[kindsOf[group] * 3 + monster];
      if (fromStart < lowStart) lowStart = fromStart;
      if (fromStart > highStart) highStart = fromStart;
      if (fromEnd < lowEnd) lowEnd = fromEnd;
      if (fromEnd > highEnd) highEnd = fromEnd;
      if (fromStart + fromEnd < lowBoth) lowBoth = fromStart + fromEnd;
      if (fromStart - fromEnd < lowLead) lowLead = fromStart - fromEnd;
      if (fromStart - fromEnd > highLead) highLead = fromStart - fromEnd;
    }
    leastStart[group] = leastStart[group + 1] + size * lowStart;
    mostStart[group] = mostStart[group + 1] + size * highStart;
    leastEnd[group] = leastEnd[group + 1] + size * lowEnd;
    mostEnd[group] = mostEnd[group + 1] + size * highEnd;
    leastBoth[group] = leastBoth[group + 1] + size * lowBoth;
    leastLead[group] = leastLead[group + 1] + size * lowLead;
    mostLead[group] = mostLead[group + 1] + size * highLead;
  }
  remembering = ways > manyWays;
  if (remembering) tried.clear();
}

/** Shares out monsters to the groups from `group` on, which are to show `start` and `end`; true when that is possible. */
function share(
  group: number,
  start: number,
  end: number,
  ghostsLeft: number,
  vampiresLeft: number,
  zombiesLeft: number,
): boolean {
  let key = 0;
  if (remembering) {
    const at = 3 * group;
    key = group;
    key = key * (mostStart[0] + 1) + start;
    key = key * (mostEnd[0] + 1) + end;
    key = key * (could[0] + 1) + Math.min(ghostsLeft, could[at]);
    key = key * (could[1] + 1) + Math.min(vampiresLeft, could[at + 1]);
    key = key * (could[2] + 1) + Math.min(zombiesLeft, could[at + 2]);
    const known = tried.get(key);
    if (known !== undefined) return known;
  }
  const next = group + 1;
  const size = sizes[group];
  const domain = domainsOf[group];
  const entry = kindsOf[group] * 3;
  // Seen when the whole group are zombies, and what a ghost or a vampire instead takes off.
  const zombieStart = seenFromStart[entry + 2];
  const zombieEnd = seenFromEnd[entry + 2];
  const ghostStart = zombieStart - seenFromStart[entry];
  const ghostEnd = zombieEnd - seenFromEnd[entry];
  const vampireStart = zombieStart - seenFromStart[entry + 1];
  const vampireEnd = zombieEnd - seenFromEnd[entry + 1];
  const mostGhosts = (domain & 1) === 0 ? 0 : Math.min(size, ghostsLeft);
  let possible = false;
  for (let ghosts = 0; ghosts <= mostGhosts; ghosts++) {
    const rest = size - ghosts;
    const mostVampires = (domain & 2) === 0 ? 0 : Math.min(rest, vampiresLeft);
    const leastVampires = (domain & 4) === 0 ? rest : rest > zombiesLeft ? rest - zombiesLeft : 0;
    let startLeft = start - size * zombieStart + ghosts * ghostStart + (leastVampires - 1) * vampireStart;
    let endLeft = end - size * zombieEnd + ghosts * ghostEnd + (leastVampires - 1) * vampireEnd;
    for (let vampires = leastVampires; vampires <= mostVampires; vampires++) {
      startLeft += vampireStart;
      endLeft += vampireEnd;
      if (startLeft < leastStart[next] || startLeft > mostStart[next]) continue;
      if (endLeft < leastEnd[next] || endLeft > mostEnd[next]) continue;
      if (startLeft + endLeft < leastBoth[next]) continue;
      const lead = startLeft - endLeft;
      if (lead < leastLead[next] || lead > mostLead[next]) continue;
      const zombies = rest - vampires;
      if (
        next < groups &&
        !share(next, startLeft, endLeft, ghostsLeft - ghosts, vampiresLeft - vampires, zombiesLeft - zombies)
      )
        continue;
      possible = true;
      const occurring = (ghosts > 0 ? 1 : 0) | (vampires > 0 ? 2 : 0) | (zombies > 0 ? 4 : 0);
      const news = occurring & ~supported[group];
      if (news !== 0) {
        supported[group] |= news;
        missing -= sizeOfDomain[news];
      }
      if (missing === 0) return true;
    }
  }
  if (remembering) tried.set(key, possible);
  return possible;
}
