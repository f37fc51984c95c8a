// The routes of the API: how each query is read, and who answers it.
import type * as z from "zod/mini";
import { Refusal } from "../base/http/body.ts";
import type { Alphabet } from "../traces/sequence.ts";
import type { Replies } from "./api.ts";
import type { Library } from "./library.ts";
import type { OpenRun } from "./open-run.ts";
import {
  comparisonQuerySchema,
  itemsQuerySchema,
  namedRunSchema,
  nothingSchema,
  problemQuerySchema,
  queryRecord,
  rolloutQuerySchema,
  runQuerySchema,
  sqlQuerySchema,
  traceQuerySchema,
  twoCheckpointsSchema,
} from "./queries.ts";

type Answer<Reply> = (library: Library, search: URLSearchParams) => Promise<Reply>;

const route =
  <Query, Reply>(schema: z.ZodMiniType<Query>, answer: (library: Library, query: Query) => Promise<Reply>) =>
  (library: Library, search: URLSearchParams) =>
    answer(library, schema.parse(queryRecord(search)));

/** Of one run. What may be asked can depend on the labels that it has. */
const ofRun =
  <Query, Reply>(
    schema: z.ZodMiniType<Query> | ((alphabet: Alphabet) => z.ZodMiniType<Query>),
    answer: (run: OpenRun, query: Query) => Reply | Promise<Reply>,
  ): Answer<Reply> =>
  async (library, search) => {
    const query = queryRecord(search);
    const run = await library.run(namedRunSchema.parse(query).run);
    return answer(run, (typeof schema === "function" ? schema(run.alphabet) : schema).parse(query));
  };

const routes: { readonly [Route in keyof Replies]: Answer<Replies[Route]> } = {
  runs: route(nothingSchema, (library) => library.runs()),
  run: ofRun(runQuerySchema, (run) => run.run()),
  problems: ofRun(runQuerySchema, (run) => run.problems()),
  problem: ofRun(problemQuerySchema, (run, { problem }) => run.problem(problem)),
  comparison: ofRun(comparisonQuerySchema, (run, query) => run.comparison(query)),
  items: route(itemsQuerySchema, (library, query) => library.items(query)),
  query: ofRun(sqlQuerySchema, (run, { sql }) => run.query(sql)),
  rollouts: ofRun(rolloutQuerySchema, (run, query) => run.rollouts(query)),
  trace: ofRun(traceQuerySchema, (run, query) => run.trace(query)),
  pairs: ofRun(twoCheckpointsSchema, (run, query) => run.pairs(query)),
  notes: ofRun(runQuerySchema, (run) => run.notes()),
};

/** The lines of a list as a file: the one reply that is no JSON record. */
export const downloadOf = ofRun(rolloutQuerySchema, (run, query) => run.download(query));

export function answerTo(name: string): Answer<unknown> {
  if (Object.hasOwn(routes, name)) return routes[name as keyof Replies];
  throw new Refusal(
    404,
    `unknown route; expected one of: ${[...Object.keys(routes), "download", "events", "note"].join(", ")}`,
  );
}
