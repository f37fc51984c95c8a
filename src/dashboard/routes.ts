// The routes of the API: how each query is read, and who answers it.
import type * as z from "zod/mini";
import { Refusal } from "../serving/body.ts";
import type { Library } from "./library.ts";
import {
  juryQuerySchema,
  motifQuerySchema,
  motifsQuerySchema,
  nothingSchema,
  problemQuerySchema,
  queryRecord,
  rolloutQuerySchema,
  runQuerySchema,
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
    rollouts: route(rolloutQuerySchema, async (library, query) => (await library.run(query.run)).rollouts(query)),
    trace: route(traceQuerySchema, async (library, query) => (await library.run(query.run)).trace(query)),
    pairs: route(twoCheckpointsSchema, async (library, query) => (await library.run(query.run)).pairs(query)),
    motifs: route(motifsQuerySchema, async (library, query) => (await library.run(query.run)).motifs(query)),
    motif: route(motifQuerySchema, async (library, query) => (await library.run(query.run)).motif(query)),
    jury: route(juryQuerySchema, (library, { jury }) => library.jury(jury)),
    classifier: route(nothingSchema, async ({ labeller }) => {
      if (labeller.classifier === undefined)
        throw new Refusal(404, `there is no span classifier: ${labeller.missing ?? "not loaded"}`);
      return classifierReply(labeller.classifier);
    }),
  }),
);

export function answerTo(name: string): Answer {
  const found = routes.get(name);
  if (found === undefined)
    throw new Refusal(404, `unknown route; expected one of: ${[...routes.keys(), "events", "relabel"].join(", ")}`);
  return found;
}
