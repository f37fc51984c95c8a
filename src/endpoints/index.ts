// A client for any OpenAI-compatible server.
export * from "./adaptive-queue.ts";
export * from "./client.ts";
export * from "./cost.ts";
export * from "./endpoint.ts";
export * from "./failures.ts";
export * from "./ignored-parameters.ts";
export * from "./reply.ts";
export * from "./server-sent-events.ts";
export * from "./thinking.ts";
