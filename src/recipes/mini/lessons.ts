// The lessons that the miniature's base model is made from, in a fixed mix: mathematics worked forwards, drills on single
// lines, and small puzzles solved by deduction alone. Nothing in them plans, guesses or goes back.
import type { Random } from "../../base/random.ts";
import { directLesson, drillFor, type Lesson, mathematicsLessons } from "../../teaching/pretraining.ts";
import { worldOf, worldPuzzles } from "./world.ts";

export type LessonMix = {
  readonly mathematics: number;
  readonly drills: number;
  /** Whole puzzles, solved directly; 0 for a base that has never seen one solved. */
  readonly direct: number;
};

export type LessonRequest = {
  readonly mix: LessonMix;
  /** Parameters by the puzzle's name. */
  readonly sizes: Readonly<Record<string, readonly string[]>>;
  readonly random: Random;
  /** Each puzzle is drawn from this many times. */
  readonly usesPerPuzzle: number;
};

/** Endless lessons; train puzzles only. */
export function* lessons({ mix, sizes, random, usesPerPuzzle }: LessonRequest): Generator<Lesson> {
  const mathematics = mathematicsLessons(random.child("mathematics"));
  const boards = boardStream(sizes, usesPerPuzzle, random.child("boards"));
  const choice = random.child("choice");
  const total = mix.mathematics + mix.drills + mix.direct;
  for (let count = 0; ; count++) {
    const ticket = choice.uniform() * total;
    if (ticket < mix.mathematics) {
      yield mathematics.next().value as Lesson;
      continue;
    }
    const { puzzle, instance } = boards.next().value as {
      puzzle: ReturnType<typeof worldOf>["puzzle"];
      instance: unknown;
    };
    const draw = random.child("lesson", count);
    const lesson =
      ticket < mix.mathematics + mix.drills ? drillFor(puzzle, instance, draw) : directLesson(puzzle, instance, draw);
    if (lesson !== undefined) yield lesson;
  }
}

function* boardStream(sizes: LessonRequest["sizes"], uses: number, random: Random) {
  const streams = Object.entries(sizes)
    .flatMap(([name, choices]) => choices.map((params) => worldOf(name, params)))
    .map((world) => {
      const { puzzle, params } = world;
      const told: unknown[] = [];
      const fresh = worldPuzzles(world, "train", random.child(puzzle.name, puzzle.writeParams(params)));
      let used = 0;
      let exhausted = false;
      return () => {
        if (!exhausted && used++ % uses === 0) {
          try {
            const next = fresh.next();
            if (next.done) exhausted = true;
            else told.push(next.value.instance);
          } catch (error) {
            if (told.length === 0) throw error;
            exhausted = true;
          }
        }
        return { puzzle, instance: told[random.below(told.length)] };
      };
    });
  for (let turn = 0; ; turn++) yield streams[turn % streams.length]();
}
