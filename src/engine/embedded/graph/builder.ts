// Builds an ONNX graph from TypeScript: values that know their element type and shape, and nodes that connect them.
// What an operator means lives in `operators.ts`; this file only keeps the books.
import type { Attribute, Constant, Dimension, ElementType, Graph, Node, ValueInfo } from "../onnx/model.ts";

export type Shape = readonly Dimension[];

/** A tensor in the graph. Sizes that each run decides have names; equal names are equal sizes. */
export type Value = { readonly name: string; readonly type: ElementType; readonly shape: Shape };

type NodeOptions = {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly domain?: "" | "com.microsoft";
};

export class GraphBuilder {
  readonly #name: string;
  readonly #nodes: Node[] = [];
  readonly #inputs: ValueInfo[] = [];
  readonly #outputs: { readonly name: string; readonly value: Value }[] = [];
  readonly #constants: Constant[] = [];
  readonly #constantsByContent = new Map<string, Value>();
  readonly #shared = new Map<string, Value>();
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  input(name: string, shape: Shape, type: ElementType = "float32"): Value {
    if (this.#inputs.some((input) => input.name === name)) throw new Error(`graph ${this.#name}: two inputs ${name}`);
    const value = { name, type, shape };
    this.#inputs.push(value);
    return value;
  }

  output(name: string, value: Value): void {
    if (this.#outputs.some((output) => output.name === name))
      throw new Error(`graph ${this.#name}: two outputs ${name}`);
    this.#outputs.push({ name, value });
  }

  /** A float tensor that never changes; equal constants are stored once. */
  constant(data: readonly number[], shape: readonly number[] = [data.length]): Value {
    return this.#store(`f:${shape.join("x")}:${data.join()}`, "float32", shape, () => Float32Array.from(data));
  }

  /** A tensor of the model's that does not change while the graph lives; the runtime lays it out as it likes best. */
  frozen(name: string, data: Float32Array, shape: readonly number[]): Value {
    this.#constants.push({ name, type: "float32", shape, data });
    return { name, type: "float32", shape };
  }

  scalar(value: number): Value {
    return this.constant([value], []);
  }

  /** Whole numbers, as shapes, axes and indices are. */
  integers(data: readonly number[], shape: readonly number[] = [data.length]): Value {
    return this.#store(`i:${shape.join("x")}:${data.join()}`, "int64", shape, () => BigInt64Array.from(data, BigInt));
  }

  #store(content: string, type: ElementType, shape: readonly number[], data: () => Constant["data"]): Value {
    let value = this.#constantsByContent.get(content);
    if (value === undefined) {
      value = { name: `constant_${this.#constants.length}`, type, shape };
      this.#constants.push({ name: value.name, type, shape, data: data() });
      this.#constantsByContent.set(content, value);
    }
    return value;
  }

  /** Adds a node; one value comes back for each shape in `outputs`. */
  node(
    operator: string,
    inputs: readonly (Value | undefined)[],
    outputs: readonly { readonly shape: Shape; readonly type?: ElementType }[],
    options: NodeOptions = {},
  ): Value[] {
    const values = outputs.map(({ shape, type = "float32" }) => ({
      name: `${operator}_${this.#count++}`,
      type,
      shape,
    }));
    this.#nodes.push({
      operator,
      domain: options.domain ?? "",
      inputs: inputs.map((input) => input?.name ?? ""),
      outputs: values.map((value) => value.name),
      attributes: options.attributes ?? {},
    });
    return values;
  }

  /** A value that several operations need, made by the first of them. */
  once(key: string, make: () => Value): Value {
    let value = this.#shared.get(key);
    if (value === undefined) {
      value = make();
      this.#shared.set(key, value);
    }
    return value;
  }

  build(): Graph {
    // A value leaves the graph under its public name, so the node that makes it is told that name.
    const produced = new Set(this.#nodes.flatMap((node) => node.outputs));
    const renamed = new Map<string, string>();
    const outputs: ValueInfo[] = [];
    const copies: Node[] = [];
    for (const { name, value } of this.#outputs) {
      outputs.push({ name, type: value.type, shape: value.shape });
      if (produced.has(value.name) && !renamed.has(value.name)) renamed.set(value.name, name);
      else copies.push({ operator: "Identity", domain: "", inputs: [value.name], outputs: [name], attributes: {} });
    }
    const publicName = (name: string) => renamed.get(name) ?? name;
    const nodes = [...this.#nodes, ...copies].map((node) => ({
      ...node,
      inputs: node.inputs.map(publicName),
      outputs: node.outputs.map(publicName),
    }));
    return { name: this.#name, nodes, inputs: this.#inputs, outputs, constants: this.#constants };
  }
}
