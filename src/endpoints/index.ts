// A client for any OpenAI-compatible server: retries, deadlines, concurrency, cost. Stability: stable.
export { type Completion, EndpointClient } from "./client.ts";
export { type CompletionRequest, type Endpoint, type EndpointInput, endpointSchema, type Price } from "./endpoint.ts";
export { type ParameterReport, probeParameters } from "./ignored-parameters.ts";
export type { Reply } from "./reply.ts";
