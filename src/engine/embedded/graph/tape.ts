// Reverse-mode differentiation over the graph builder. Each operation (folder `operations/`) emits its forward nodes
// and records one backward rule; `backward` replays the rules from the last to the first.
import type { GraphBuilder, Value } from "./builder.ts";
import { add } from "./operators.ts";

/**
 * Makes one contribution to a gradient. `soFar` is the sum of earlier contributions; a rule that can add while it
 * multiplies takes it in, which saves a pass over memory.
 */
type Contribution = (soFar: Value | undefined) => Value;

type BackwardRule = (gradient: Value, contribute: (to: Value, contribution: Contribution) => void) => void;

export class Tape {
  readonly graph: GraphBuilder;
  readonly #needed = new Set<string>();
  readonly #rules: { readonly output: Value; readonly inputs: readonly Value[]; readonly rule: BackwardRule }[] = [];
  readonly #gradients = new Map<string, Value>();

  constructor(graph: GraphBuilder) {
    this.graph = graph;
  }

  /** A parameter to train. Its gradient begins at `accumulated` where one is given. */
  trainable(parameter: Value, accumulated?: Value): void {
    this.#needed.add(parameter.name);
    if (accumulated !== undefined) this.#gradients.set(parameter.name, accumulated);
  }

  /** Does a gradient have to reach this value? */
  needs(value: Value): boolean {
    return this.#needed.has(value.name);
  }

  /** Called by operations: how the gradient of `output` becomes gradients of `inputs`. */
  record(output: Value, inputs: readonly Value[], rule: BackwardRule): void {
    if (!inputs.some((input) => this.needs(input))) return;
    this.#needed.add(output.name);
    this.#rules.push({ output, inputs, rule });
  }

  backward(output: Value, gradient: Value): void {
    const contribute = (to: Value, contribution: Contribution) => {
      if (this.needs(to)) this.#gradients.set(to.name, contribution(this.#gradients.get(to.name)));
    };
    this.#gradients.set(output.name, gradient);
    for (const { output: made, rule } of this.#rules.toReversed()) {
      const arrived = this.#gradients.get(made.name);
      if (arrived !== undefined) rule(arrived, contribute);
    }
  }

  /** For rules whose contribution is a value as it stands. */
  sum(soFar: Value | undefined, value: Value): Value {
    return soFar === undefined ? value : add(this.graph, soFar, value);
  }

  gradientOf(value: Value): Value {
    const gradient = this.#gradients.get(value.name);
    if (gradient === undefined) throw new Error(`no gradient has reached ${value.name}`);
    return gradient;
  }
}
