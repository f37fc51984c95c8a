// The entropy bonus in the loss, L ← L − c · mean_t H_t, with a fixed coefficient or the adaptive one of Skywork-OR1
// (He et al. 2025, arXiv:2505.22312): the coefficient rises while entropy is below its target, and acts only then.

type EntropyControl =
  | { readonly kind: "fixed"; readonly coefficient: number }
  | {
      readonly kind: "adaptive";
      readonly start: number;
      readonly change: number;
      readonly smallest: number;
      readonly largest: number;
      /** In nats per token. */
      readonly target: number;
    };

/** What the controller remembers between steps; survives JSON. */
export type EntropyState = { readonly coefficient: number; readonly lastEntropy?: number };

export function initialEntropyState(control: EntropyControl): EntropyState {
  return { coefficient: control.kind === "fixed" ? control.coefficient : control.start };
}

/** The coefficient that the coming step uses. */
export function appliedCoefficient(control: EntropyControl, state: EntropyState): number {
  if (control.kind === "fixed") return state.coefficient;
  return state.lastEntropy !== undefined && state.lastEntropy <= control.target ? state.coefficient : 0;
}

/** After a step in which the mean entropy of a token was `entropy`. */
export function nextEntropyState(control: EntropyControl, state: EntropyState, entropy: number): EntropyState {
  if (control.kind === "fixed") return state;
  const coefficient =
    entropy <= control.target
      ? Math.min(state.coefficient + control.change, control.largest)
      : Math.max(state.coefficient - control.change, control.smallest);
  return { coefficient, lastEntropy: entropy };
}
