// The routes of the API: how each query is read, and who answers it.
import type * as z from "zod/mini";
import { Refusal } from "../base/http/body.ts";
import type { Alphabet } from "../traces/sequence.ts";
import type { Library } from "./library.ts";
import type { OpenRun } from "./open-run.ts";
import {
  comparisonQuerySchema,
  juryQuerySchema,
  motifQuerySchema,
  motifsQuerySchema,
  namedRunSchema,
  nothingSchema,
  problemQuerySchema,
  queryRecord,
  rolloutQuerySchema,
  runQuerySchema,
  sideBySideQuerySchema,
  similarQuerySchema,
  traceQuerySchema,
  trainingQuerySchema,
  twoCheckpointsSchema,
} from "./queries.ts";
import { classifierReply } from "./trace-view.ts";

type Answer = (library: Library, search: URLSearchParams) => Promise<unknown>;

const route =
  <Query>(schema: z.ZodMiniType<Query>, answer: (library: Library, query: Query) => Promise<unknown>): Answer =>
  (library, search) =>
    answer(library, schema.parse(queryRecord(search)));

/** What may be asked depends on the labels that the run has. */
const ofRun =
  <Query>(
    schema: (alphabet: Alphabet) => z.ZodMiniType<Query>,
    answer: (run: OpenRun, query: Query) => Promise<unknown>,
  ): Answer =>
  async (library, search) => {
    const query = queryRecord(search);
    const run = await library.run(namedRunSchema.parse(query).run);
    return answer(run, schema(run.alphabet).parse(query));
  };

const routes: ReadonlyMap<string, Answer> = new Map(
  Object.entries({
    runs: route(nothingSchema, (library) => library.runs()),
    run: route(runQuerySchema, async (library, { run }) => (await library.run(run)).run()),
    training: route(trainingQuerySchema, async (library, { run, stage, after }) =>
      (await library.run(run)).training(stage, after),
    ),
    problems: route(runQuerySchema, async (library, { run }) => (await library.run(run)).problems()),
    changes: route(twoCheckpointsSchema, async (library, query) => (await library.run(query.run)).changes(query)),
    problem: route(problemQuerySchema, async (library, { run, problem }) => (await library.run(run)).problem(problem)),
    repertoire: route(runQuerySchema, async (library, { run }) => (await library.run(run)).repertoire()),
    comparison: route(comparisonQuerySchema, async (library, query) =>
      (await library.run(query.run)).comparison(query),
    ),
    "side-by-side": route(sideBySideQuerySchema, (library, { run }) => library.sideBySide(run)),
    rollouts: ofRun(rolloutQuerySchema, (run, query) => run.rollouts(query)),
    trace: route(traceQuerySchema, async (library, query) => (await library.run(query.run)).trace(query)),
    pairs: route(twoCheckpointsSchema, async (library, query) => (await library.run(query.run)).pairs(query)),
    notes: route(runQuerySchema, async (library, { run }) => (await library.run(run)).notes()),
    similar: route(similarQuerySchema, async (library, query) => (await library.run(query.run)).similar(query)),
    motifs: ofRun(motifsQuerySchema, (run, query) => run.motifs(query)),
    motif: ofRun(motifQuerySchema, (run, query) => run.motif(query)),
    jury: route(juryQuerySchema, (library, { jury }) => library.jury(jury)),
    classifier: route(nothingSchema, async ({ labeler }) => classifierReply(labeler)),
  }),
);

/** The lines of a list as a file: the one reply that is no JSON record. */
export async function downloadOf(library: Library, search: URLSearchParams): Promise<AsyncIterable<string>> {
  const query = queryRecord(search);
  const run = await library.run(namedRunSchema.parse(query).run);
  return run.download(rolloutQuerySchema(run.alphabet).parse(query));
}

export function answerTo(name: string): Answer {
  const found = routes.get(name);
  if (found === undefined)
    throw new Refusal(
      404,
      `unknown route; expected one of: ${[...routes.keys(), "download", "events", "relabel", "note"].join(", ")}`,
    );
  return found;
}
