// Generates and solves boards away from the page, which stays responsive however hard a board is.
import { answerTask, type PlayTask } from "./play/puzzle-tasks.ts";

type WorkerScope = { onmessage: ((event: MessageEvent<PlayTask>) => void) | null; postMessage(data: unknown): void };
const scope = globalThis as unknown as WorkerScope;
scope.onmessage = ({ data }) => scope.postMessage(answerTask(data));
