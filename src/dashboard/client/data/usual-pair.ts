// Which two checkpoints a page compares where nobody chose any: those between which most happened.
import type { RunReply, Source } from "../../api.ts";

export function usualPair({ sources, analysis }: Pick<RunReply, "sources" | "analysis">): readonly [Source, Source] {
  const evaluated = sources.filter(({ kind }) => kind === "evaluation");
  const among = evaluated.length >= 2 ? evaluated : sources;
  const named = (checkpoint: string | undefined) => evaluated.find((source) => source.checkpoint === checkpoint);
  const [first, second] = [named(analysis?.told?.first), named(analysis?.told?.second)];
  if (first !== undefined && second !== undefined) return [first, second];
  const start = among.find(({ role }) => role === "sft") ?? among[0];
  const plain = among.find(({ role }) => role === "vanilla" && start.role === "sft");
  return [start, plain ?? among.findLast(({ id }) => id !== start.id)!];
}
