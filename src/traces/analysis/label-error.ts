// What the labels of traces may really be, given the labels that a labeler gave: whole sequences drawn from P(actual | given),
// so that counts, depth, motifs and everything made of them can be computed again. The labeler's confusions P(given | actual) are
// drawn as they may be on one more source; how labels follow one another is estimated from the traces themselves.
import { Random } from "../../base/random.ts";
import { stepOfName } from "../../imports/step-name.ts";
import type { Confusions } from "../classifier/quality.ts";
import { confusionsFor, isExact, type LabelerDescription } from "../labeler.ts";
import { type Alphabet, readSequence } from "../sequence.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";
import { measureNames, measuresOf } from "./measures.ts";

/**
 * The measures of all records in every draw, a column a measure: as they are, and less what drawing itself does to them on
 * average: a run that a false label breaks stays broken in part.
 */
export type DrawnMeasures = {
  readonly likely: readonly (readonly Float32Array[])[];
  readonly unbiased: readonly (readonly Float32Array[])[];
};

/** A record whose labels may be others: its place in the columns, and its sequence in every draw, one after the other. */
export type DrawnRecord = TraceRecord & {
  readonly drawn?: { readonly measures: DrawnMeasures; readonly place: number; readonly sequences: Uint8Array };
};

export const drawnSequence = ({ sequence, drawn }: DrawnRecord, draw: number): Uint8Array =>
  drawn!.sequences.subarray(draw * sequence.length, (draw + 1) * sequence.length);

/** As many draws as intervals need, fewer where there is so much to draw that the labeler's error is all that is left. */
const mostDraws = 40;
const fewestDraws = 20;
const drawnSpans = 10_000_000;

const drawsFor = (spans: number): number =>
  Math.max(fewestDraws, Math.min(mostDraws, Math.floor(drawnSpans / Math.max(1, spans))));

/**
 * Undefined where there is nothing to draw: labels are exact, or nobody has measured how often they are wrong. What is exact
 * among others keeps its labels in every draw.
 */
export function withDrawnLabels(
  records: readonly TraceRecord[],
  labelers: ReadonlyMap<string, LabelerDescription>,
  alphabet: Alphabet,
): readonly DrawnRecord[] | undefined {
  const known = [...new Set(records.map(({ labeledBy }) => labeledBy))].map((id) => labelers.get(id));
  const wrong = known.filter((labeler) => labeler !== undefined && !isExact(labeler));
  if (wrong.length === 0 || known.some((one) => one === undefined || (!isExact(one) && one.quality === undefined)))
    return undefined;
  const sequences = records.map(({ sequence }) => readSequence(sequence, alphabet));
  const draws = drawsFor(sequences.reduce((total, { length }) => total + length, 0));
  const columns = () =>
    Array.from({ length: draws }, () =>
      measureNames(alphabet).map(() => new Float32Array(records.length).fill(Number.NaN)),
    );
  const measures = { likely: columns(), unbiased: columns() };
  const found = records.map((record, place) => ({
    ...record,
    drawn: { measures, place, sequences: new Uint8Array(sequences[place].length * draws) },
  }));
  const states = statesOf(alphabet);
  for (const { key, labeledBy, kind, parts } of strataOf(records)) {
    const labeler = labelers.get(labeledBy)!;
    const exact = isExact(labeler);
    const confusions = exact ? undefined : confusionsFor(labeler.quality!, kind);
    for (const { name, members } of parts) {
      const own = members.map((i) => sequences[i]);
      const every = Math.ceil(members.length / relabeledTraces);
      const seen = [...members.keys()].filter((place) => place % every === 0);
      // How its labels follow one another, first by the confusions as measured, then by every draw of them.
      const begun =
        confusions &&
        fitted(
          own,
          emissionOf(confusionRates(confusions.whole), states),
          beginning(own, states),
          sweepsToBegin,
          states,
          Random.from("labels").child(key, name),
        );
      for (let draw = 0; draw < draws; draw++) {
        // Of one labeler the confusions are the same everywhere.
        const rates = confusions && drawnRates(confusions, Random.from("labels").child(draw, "rates", labeledBy));
        const random = Random.from("labels").child(draw, key, name);
        const emission = rates && emissionOf(rates, states);
        const other =
          confusions &&
          emissionOf(drawnRates(confusions, Random.from("labels").child(draw, "again", labeledBy)), states);
        const mixture = emission && fitted(own, emission, begun!, sweepsToDraw, states, random);
        const sample = mixture && sampler(mixture, emission, states);
        const actual = members.map((i, place) => {
          const drawn = drawnSequence(found[i], draw);
          if (sample === undefined) drawn.set(own[place]);
          else sample(own[place], random, drawn);
          return drawn;
        });
        // What the correction makes of these if they are labeled once more, by confusions that are drawn anew.
        const again = other && seen.map((place) => relabeled(actual[place], other, states.all, random));
        const refitted = again && fitted(again, emission!, begun!, sweepsToDraw, states, random);
        const resample = refitted && sampler(refitted, emission!, states);
        const moved = seen.map((place, s): readonly number[] => {
          const i = members[place];
          if (resample === undefined || !isMeasured(records[i])) return [];
          resample(again![s], random, again![s]);
          const [once, twice] = [actual[place], again![s]].map((drawn) =>
            measuresOf(drawn, records[i].tokens, alphabet),
          );
          return once.map((value, m) => (Number.isNaN(value - twice[m]) ? 0 : value - twice[m]));
        });
        const all = moved.length === members.length ? undefined : meanOfEach(moved.filter(({ length }) => length > 0));
        members.forEach((i, place) => {
          // What has no measure at all has none in any draw.
          if (!isMeasured(records[i])) return;
          measuresOf(actual[place], records[i].tokens, alphabet).forEach((value, m) => {
            measures.likely[draw][m][i] = value;
            measures.unbiased[draw][m][i] = value + ((all ?? moved[place])[m] ?? 0);
          });
        });
      }
    }
  }
  return found;
}

/** What drawing does to a measure on average is known well enough from so many traces of a part, evenly over its problems. */
const relabeledTraces = 400;

const meanOfEach = (rows: readonly (readonly number[])[]): number[] =>
  (rows[0] ?? []).map((_, m) => rows.reduce((sum, row) => sum + row[m], 0) / rows.length);

type Stratum = {
  readonly key: string;
  readonly labeledBy: string;
  readonly kind: TraceRecord["kind"];
  /** Traces that are alike as far as anybody knows: of one checkpoint, and all right or all wrong. */
  readonly parts: readonly { readonly name: string; readonly members: readonly number[] }[];
};

const partsOfTraining = 4;

function strataOf(records: readonly TraceRecord[]): Stratum[] {
  const strata = new Map<string, { labeledBy: string; kind: TraceRecord["kind"]; parts: Map<string, number[]> }>();
  const steps = records.flatMap(({ step }) => step ?? []);
  const [first, last] = [steps.reduce((a, b) => Math.min(a, b), 0), steps.reduce((a, b) => Math.max(a, b), 0)];
  const partOf = (step: number) => Math.floor((partsOfTraining * (step - first)) / (last - first + 1));
  const isTrained = records.some(({ stage, step }) => stage === "training" && step !== undefined);
  records.forEach((record, i) => {
    const { labeledBy, kind, stage, checkpoint, step, correct } = record;
    const key = `${labeledBy} ${kind}`;
    const own = strata.get(key) ?? { labeledBy, kind, parts: new Map<string, number[]>() };
    strata.set(key, own);
    // Steps of training are many and hold little each; within a part of them traces are taken to be alike.
    const trained = step !== undefined && (!isTrained || stage === "training");
    const part = `${trained ? `${stepOfName(record).series}, part ${partOf(step)}` : `${stage} ${checkpoint}`} ${correct}`;
    const members = own.parts.get(part);
    if (members === undefined) own.parts.set(part, [i]);
    else members.push(i);
  });
  // In an order of their own, so that draws do not depend on the order in which records were written.
  const place = (a: number, b: number) => {
    const [one, other] = [records[a], records[b]];
    if (one.problem !== other.problem) return one.problem < other.problem ? -1 : 1;
    return one.attempt - other.attempt || (one.sequence < other.sequence ? -1 : 1);
  };
  return [...strata].map(([key, { parts, ...about }]) => ({
    ...{ key, ...about },
    parts: [...parts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => ({ name, members: members.sort(place) })),
  }));
}

// ---- The labeler's confusions ------------------------------------------------------------------------------------------

type Rates = readonly (readonly number[])[];

/** The rates of a confusion matrix of counts; a label nobody has seen is taken to be recognized. */
export function confusionRates(confusion: Rates): number[][] {
  return confusion.map((row, actual) => {
    const total = row.reduce((a, b) => a + b, 0);
    return row.map((count, given) => (total === 0 ? (given === actual ? 1 : 0) : count / total));
  });
}

/** A little for every cell, so that a confusion nobody has seen yet is not impossible. */
const pseudoCount = 0.1;
/** Spans of one question are confused alike: so many of them say as much as one of a question of its own. */
const alikeInQuestion = 2;
/** From how many spans of a label on a source say as much about that source as about luck. */
const trusted = 10;

/**
 * Rates as they may be on traces of one more source. Each row is drawn from its Dirichlet posterior, for the few questions it was
 * made from, and moved as sources differ: by a combination of their deviations that is Student's t with one degree less than
 * there are sources, the predictive distribution of the next one. Deviations are of square roots, whose noise does not depend on
 * the rate, and those of all labels move together.
 */
export function drawnRates({ whole, sources }: Confusions, random: Random): number[][] {
  const drawn = whole.map((row, actual) => {
    const seen = row.some((count) => count > 0);
    const draws = row.map((count, given) =>
      gammaDraw((seen ? count / alikeInQuestion : given === actual ? 1 : 0) + pseudoCount, random),
    );
    const total = draws.reduce((a, b) => a + b, 0);
    return draws.map((draw) => draw / total);
  });
  if (sources.length < 2) return drawn;
  const many = sources.length;
  const chi = Array.from({ length: many - 1 }, () => random.normal() ** 2).reduce((a, b) => a + b, 0);
  const heavy = Math.sqrt((1 + 1 / many) * ((many - 1) / chi));
  const steps = sources.map(() => random.normal() * heavy);
  const rates = confusionRates(whole);
  return drawn.map((row, actual) => {
    const own = sources.map((matrix) => {
      const total = matrix[actual].reduce((a, b) => a + b, 0);
      const roots = matrix[actual].map((count, given) => Math.sqrt((count + rates[actual][given]) / (total + 1)));
      return { roots, weight: total / (total + trusted) };
    });
    const weight = own.reduce((total, one) => total + one.weight, 0);
    const moved = row.map((rate, given) => {
      const center = own.reduce((total, one) => total + one.weight * one.roots[given], 0) / Math.max(weight, 1e-9);
      const deviation = own.reduce(
        (total, one, s) => total + steps[s] * Math.sqrt(one.weight) * (one.roots[given] - center),
        0,
      );
      // What few spans leave open of all, and where one more source may lie.
      const luck = Math.sqrt(rate) - Math.sqrt(rates[actual][given]);
      const base = weight < 1 ? Math.sqrt(rates[actual][given]) : center;
      return Math.max(0, base + luck + deviation / Math.sqrt(Math.max(1, weight - 1))) ** 2;
    });
    const total = moved.reduce((a, b) => a + b, 0);
    return total === 0 ? row : moved.map((rate) => rate / total);
  });
}

/** Marsaglia and Tsang's method. */
function gammaDraw(shape: number, random: Random): number {
  if (shape < 1) return gammaDraw(shape + 1, random) * random.uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = random.uniform();
    if (Math.log(1 - u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

// ---- How labels follow one another -------------------------------------------------------------------------------------

/** The labels, what is unsure, and the edge before and after a trace; the last two are always recognized. */
type States = { readonly labels: number; readonly edge: number; readonly all: number };

const statesOf = ({ labels }: Alphabet): States => ({
  labels: labels.length,
  edge: labels.length + 1,
  all: labels.length + 2,
});

function emissionOf(rates: Rates, { labels, all }: States): Float64Array {
  const emission = new Float64Array(all * all);
  for (let actual = 0; actual < all; actual++) {
    if (actual < labels) emission.set(rates[actual], actual * all);
    else emission[actual * all + actual] = 1;
  }
  return emission;
}

/**
 * How labels follow one another: chains of several kinds, because some traces search and others do not, and which of them a trace
 * is says much about what its labels may be. `follows` of a kind: from each label, edges among them, to each.
 */
type Mixture = { readonly shares: readonly number[]; readonly follows: readonly Float64Array[] };

const kindsOfTraces = 3;
const sweepsToBegin = 15;
const sweepsToDraw = 3;
/** Chains are known well enough from so many traces. */
const fittedTraces = 80;
/** What is believed before: so many spans after each label, followed as in all traces, and a little of everything. */
const believed = { alike: 2, anything: 0.3 };

function beginning(given: readonly Uint8Array[], { edge, all }: States): Mixture {
  const counts = Array.from({ length: kindsOfTraces }, () => new Float64Array(all * all));
  // Any first division will do: traces by how many different labels they have.
  const order = given.map((sequence, i) => ({ i, different: new Set(sequence).size / Math.sqrt(sequence.length + 1) }));
  order.sort((a, b) => a.different - b.different);
  order.forEach(({ i }, place) => {
    addPairs(counts[Math.floor((place * kindsOfTraces) / order.length)], given[i], edge, all);
  });
  const shares = counts.map(() => 1 / kindsOfTraces);
  return { shares, follows: counts.map((own) => rowsOf(own, all, (shape) => shape)) };
}

function addPairs(counts: Float64Array, sequence: Uint8Array, edge: number, all: number): void {
  let before = edge;
  for (const code of sequence) {
    counts[before * all + code] += 1;
    before = code;
  }
  counts[before * all + edge] += 1;
}

/** Gibbs sampling of labels, kinds and chains in turn. */
function fitted(
  given: readonly Uint8Array[],
  emission: Float64Array,
  start: Mixture,
  sweeps: number,
  states: States,
  random: Random,
): Mixture {
  const { edge, all } = states;
  let mixture = start;
  const chosen = given.filter(({ length }) => length > 0);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const sample = sampler(mixture, emission, states);
    const counts = mixture.follows.map(() => new Float64Array(all * all));
    const members = mixture.follows.map(() => 1);
    for (let i = 0; i < Math.min(fittedTraces, chosen.length); i++) {
      const trace = chosen.length <= fittedTraces ? chosen[i] : random.pick(chosen);
      const actual = new Uint8Array(trace.length);
      const kind = sample(trace, random, actual);
      addPairs(counts[kind], actual, edge, all);
      members[kind] += 1;
    }
    const pooled = rowsOf(sum(counts), all, (shape) => shape);
    const draw = (shape: number) => gammaDraw(shape, random);
    const follows = counts.map((own) => {
      const shapes = own.map((count, at) => count + believed.alike * pooled[at] + believed.anything / all);
      return rowsOf(shapes, all, draw);
    });
    const shares = members.map(draw);
    const total = shares.reduce((a, b) => a + b, 0);
    mixture = { shares: shares.map((share) => share / total), follows };
  }
  return mixture;
}

/** Each row turned into shares; what never was before anything may be followed by anything. */
function rowsOf(counts: Float64Array, all: number, draw: (shape: number) => number): Float64Array {
  const rows = new Float64Array(counts.length);
  for (let before = 0; before < all; before++) {
    let total = 0;
    for (let at = before * all; at < (before + 1) * all; at++) {
      rows[at] = counts[at] > 0 ? draw(counts[at]) : 0;
      total += rows[at];
    }
    for (let at = before * all; at < (before + 1) * all; at++) rows[at] = total > 0 ? rows[at] / total : 1 / all;
  }
  return rows;
}

function sum(counts: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(counts[0].length);
  for (const own of counts) for (let i = 0; i < total.length; i++) total[i] += own[i];
  return total;
}

/**
 * Draws the actual labels of a trace into a place for them (which may be where it is given), and says of which kind it is: forward
 * through all that they may be, backward by drawing one after the other.
 */
function sampler(
  { shares, follows }: Mixture,
  emission: Float64Array,
  { labels, edge, all }: States,
): (given: Uint8Array, random: Random, actual: Uint8Array) => number {
  // By what is given, what it may be and what was before, so that a step forward is one product.
  const steps = follows.map((own) => {
    const step = new Float64Array(edge * edge * all);
    for (let given = 0; given < edge; given++)
      for (let code = 0; code < edge; code++)
        for (let before = 0; before < all; before++)
          step[(given * edge + code) * all + before] = own[before * all + code] * emission[code * all + given];
    return step;
  });
  let forward = follows.map(() => new Float64Array(64 * edge));
  const weights = new Float64Array(edge);
  const likelihoods = new Float64Array(follows.length);
  return (given, random, actual) => {
    const { length } = given;
    if (length === 0) return 0;
    if (forward[0].length < length * edge) forward = follows.map(() => new Float64Array(2 * length * edge));
    // What is unsure is always recognized, so that where nothing is it need not be thought of.
    const states = given.includes(labels) ? edge : labels;
    for (let kind = 0; kind < follows.length; kind++) {
      const [reach, step, own] = [forward[kind], steps[kind], follows[kind]];
      let likelihood = Math.log(shares[kind]);
      for (let t = 0; t < length; t++) {
        const row = t * edge;
        let total = 0;
        for (let code = 0; code < states; code++) {
          const at = (given[t] * edge + code) * all;
          let value = 0;
          if (t === 0) value = step[at + edge];
          else for (let before = 0; before < states; before++) value += reach[row - edge + before] * step[at + before];
          reach[row + code] = value;
          total += value;
        }
        // Nothing explains it: then it is what was given.
        if (!(total > 0)) {
          for (let code = 0; code < states; code++) reach[row + code] = code === given[t] ? 1 : 0;
          total = 1e-300;
        } else for (let code = 0; code < states; code++) reach[row + code] /= total;
        likelihood += Math.log(total);
      }
      let end = 0;
      for (let code = 0; code < states; code++) end += reach[(length - 1) * edge + code] * own[code * all + edge];
      likelihoods[kind] = likelihood + Math.log(end + 1e-300);
    }
    const most = Math.max(...likelihoods);
    const kind = drawnPlace(
      likelihoods.map((likelihood) => Math.exp(likelihood - most)),
      follows.length,
      random,
    );
    const [reach, own] = [forward[kind], follows[kind]];
    for (let t = length - 1, after = edge; t >= 0; t--) {
      for (let code = 0; code < states; code++)
        weights[code] = reach[t * edge + code] * (own[code * all + after] + 1e-12);
      after = drawnPlace(weights, states, random);
      actual[t] = after;
    }
    return kind;
  };
}

/** Each of the first weights as often as it weighs. */
function drawnPlace(weights: Float64Array, count: number, random: Random): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += weights[i];
  let left = random.uniform() * total;
  for (let i = 0; i < count - 1; i++) {
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return count - 1;
}

function relabeled(actual: Uint8Array, emission: Float64Array, all: number, random: Random): Uint8Array {
  return actual.map((code) => {
    let left = random.uniform();
    for (let given = 0; given < all; given++) {
      left -= emission[code * all + given];
      if (left < 0) return given;
    }
    return code;
  });
}
