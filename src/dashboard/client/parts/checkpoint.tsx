// A checkpoint of the run at hand, by the id of its source or stage.
import { useShownRun } from "../data/shown-run.tsx";
import { CheckpointName } from "./marks.tsx";

export function Checkpoint({ of, name }: { readonly of: string; readonly name?: string }) {
  const { inkOf, nameOf } = useShownRun();
  return <CheckpointName name={name ?? nameOf(of)} ink={inkOf(of)} />;
}
