// An ONNX model as plain records, and its bytes. Field numbers are those of onnx.proto3 (ONNX IR version 10).
import { ProtobufWriter } from "../../protobuf-writer.ts";

export type ElementType = "float32" | "int32" | "int64";
/** A number is a fixed size; a name is a size that each run decides. */
export type Dimension = number | string;

export type Attribute = number | { readonly int: number } | { readonly ints: readonly number[] };

export type Node = {
  readonly operator: string;
  readonly domain: string;
  /** An empty name is an optional input that is absent. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** A bare number is a float attribute; integers are `{ int }` so that 1 and 1.0 cannot be confused. */
  readonly attributes: Readonly<Record<string, Attribute>>;
};

export type ValueInfo = {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly Dimension[];
};

export type Constant = {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array | BigInt64Array;
};

export type Graph = {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  readonly constants: readonly Constant[];
};

const elementTypeNumbers: Readonly<Record<ElementType, number>> = { float32: 1, int32: 6, int64: 7 };

export function modelBytes(graph: Graph): Uint8Array {
  const model = new ProtobufWriter();
  model.integer(1, 10).text(2, "repertoire");
  model.message(7, (message) => writeGraph(message, graph));
  for (const [domain, version] of [
    ["", 21],
    ["com.microsoft", 1],
  ] as const) {
    model.message(8, (operators) => operators.text(1, domain).integer(2, version));
  }
  return model.finish();
}

function writeGraph(message: ProtobufWriter, graph: Graph): void {
  for (const node of graph.nodes) message.message(1, (nested) => writeNode(nested, node));
  message.text(2, graph.name);
  for (const constant of graph.constants) message.message(5, (nested) => writeTensor(nested, constant));
  for (const input of graph.inputs) message.message(11, (nested) => writeValueInfo(nested, input));
  for (const output of graph.outputs) message.message(12, (nested) => writeValueInfo(nested, output));
}

function writeNode(message: ProtobufWriter, node: Node): void {
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(4, node.operator).text(7, node.domain);
  for (const [name, value] of Object.entries(node.attributes)) {
    message.message(5, (attribute) => writeAttribute(attribute.text(1, name), value));
  }
}

function writeAttribute(message: ProtobufWriter, value: Attribute): void {
  if (typeof value === "number") message.float(2, value).integer(20, 1);
  else if ("int" in value) message.integer(3, value.int).integer(20, 2);
  else {
    for (const item of value.ints) message.integer(8, item);
    message.integer(20, 7);
  }
}

function writeTensor(message: ProtobufWriter, constant: Constant): void {
  for (const size of constant.shape) message.integer(1, size);
  message.integer(2, elementTypeNumbers[constant.type]).text(8, constant.name);
  const { buffer, byteOffset, byteLength } = constant.data;
  message.bytes(9, new Uint8Array(buffer, byteOffset, byteLength));
}

function writeValueInfo(message: ProtobufWriter, value: ValueInfo): void {
  message.text(1, value.name).message(2, (type) =>
    type.message(1, (tensor) =>
      tensor.integer(1, elementTypeNumbers[value.type]).message(2, (shape) => {
        for (const size of value.shape) {
          shape.message(1, (dimension) =>
            typeof size === "number" ? dimension.integer(1, size) : dimension.text(2, size),
          );
        }
      }),
    ),
  );
}
