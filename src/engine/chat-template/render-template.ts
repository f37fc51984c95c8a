// A chat template at work: messages in, the text that a model was trained to see out.
import { DataError } from "../../base/errors.ts";
import { spend, spendText, withinBounds } from "./template-budget.ts";
import { runFilter, runTest, templateFunctions } from "./template-functions.ts";
import { type Arguments, type Expression, parseTemplate, type Statement } from "./template-parser.ts";
import {
  type Callable,
  contains,
  equal,
  isList,
  items,
  member,
  said,
  slice,
  TemplateRecord,
  truthy,
  type Value,
} from "./template-values.ts";

export type Template = (variables: Readonly<Record<string, Value>>) => string;

export function compileTemplate(text: string): Template {
  const statements = withinBounds(() => parseTemplate(spendText(text)));
  return (variables) => {
    const top = new Scope(new Scope(undefined, Object.entries(templateFunctions)), Object.entries(variables));
    return withinBounds(() => run(statements, top).text);
  };
}

class Scope {
  readonly #outer: Scope | undefined;
  readonly #own: Map<string, Value>;
  constructor(outer: Scope | undefined, own: Iterable<readonly [string, Value]> = []) {
    this.#outer = outer;
    this.#own = new Map(own);
  }
  get(name: string): Value {
    return this.#own.has(name) ? this.#own.get(name) : this.#outer?.get(name);
  }
  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }
}

type Ran = { readonly text: string; readonly leave?: "break" | "continue" };

function run(statements: readonly Statement[], scope: Scope): Ran {
  let text = "";
  for (const statement of statements) {
    const ran = runOne(statement, scope);
    text += ran.text;
    if (ran.text !== "") spendText(ran.text);
    if (ran.leave !== undefined) return { text, leave: ran.leave };
  }
  return { text };
}

function runOne(statement: Statement, scope: Scope): Ran {
  spend();
  switch (statement.kind) {
    case "text":
      return statement;
    case "print":
      return { text: spendText(said(evaluate(statement.expression, scope))) };
    case "if":
      return run(truthy(evaluate(statement.test, scope)) ? statement.yes : statement.no, scope);
    case "for":
      return loop(statement, scope);
    case "set":
      assign(statement, scope);
      return { text: "" };
    case "capture":
      scope.set(statement.name, run(statement.body, new Scope(scope)).text);
      return { text: "" };
    case "macro":
      scope.set(statement.name, macro(statement, scope));
      return { text: "" };
    default:
      return { text: "", leave: statement.kind };
  }
}

function loop({ names, over, only, body, otherwise }: Extract<Statement, { kind: "for" }>, scope: Scope): Ran {
  const bound = (item: Value): [string, Value][] =>
    names.length === 1 ? [[names[0], item]] : names.map((name, i) => [name, items(item)[i]]);
  const all = items(evaluate(over, scope)).filter(
    (item) => only === undefined || truthy(evaluate(only, new Scope(scope, bound(item)))),
  );
  if (all.length === 0) return run(otherwise, scope);
  let text = "";
  for (const [i, item] of all.entries()) {
    const place = new TemplateRecord([
      ["index0", i],
      ["index", i + 1],
      ["first", i === 0],
      ["last", i === all.length - 1],
      ["length", all.length],
      ["revindex", all.length - i],
      ["revindex0", all.length - i - 1],
      ["previtem", all[i - 1]],
      ["nextitem", all[i + 1]],
    ]);
    const ran = run(body, new Scope(scope, [...bound(item), ["loop", place]]));
    text += ran.text;
    if (ran.leave === "break") break;
  }
  return { text };
}

function assign({ names, member: key, value }: Extract<Statement, { kind: "set" }>, scope: Scope): void {
  const result = evaluate(value, scope);
  if (key !== undefined) {
    const record = scope.get(names[0]);
    if (!(record instanceof TemplateRecord)) throw new DataError(`the chat template sets a part of ${names[0]}`);
    record.entries.set(key, result);
  } else if (names.length === 1) scope.set(names[0], result);
  else for (const [i, name] of names.entries()) scope.set(name, items(result)[i]);
}

function macro({ parameters, body }: Extract<Statement, { kind: "macro" }>, scope: Scope): Callable {
  return (values, named) => {
    const own = new Scope(scope);
    for (const [i, { name, value }] of parameters.entries()) {
      const given = i < values.length ? values[i] : named.get(name);
      own.set(name, given === undefined && value !== undefined ? evaluate(value, own) : given);
    }
    return run(body, own).text;
  };
}

function evaluate(expression: Expression, scope: Scope): Value {
  spend();
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return scope.get(expression.name);
    case "list":
      return expression.items.map((item) => evaluate(item, scope));
    case "record":
      return new TemplateRecord(
        expression.entries.map(([key, value]) => [said(evaluate(key, scope)), evaluate(value, scope)]),
      );
    case "member":
      return member(evaluate(expression.of, scope), evaluate(expression.key, scope));
    case "slice":
      return slice(
        evaluate(expression.of, scope),
        expression.parts.map((part) => (part === undefined ? undefined : Number(evaluate(part, scope)))),
      );
    case "call": {
      const callee = evaluate(expression.callee, scope);
      if (typeof callee !== "function")
        throw new DataError(`the chat template calls ${named(expression.callee)}, which is not there`);
      return callee(...argumentsOf(expression.args, scope));
    }
    case "filter":
      return runFilter(expression.name, evaluate(expression.of, scope), ...argumentsOf(expression.args, scope));
    case "test":
      return runTest(expression.name, evaluateTested(expression.of, scope), argumentsOf(expression.args, scope)[0]);
    case "unary": {
      const value = evaluate(expression.of, scope);
      return expression.operator === "not"
        ? !truthy(value)
        : expression.operator === "-"
          ? -Number(value)
          : Number(value);
    }
    case "binary":
      return binary(expression, scope);
    case "choice":
      if (truthy(evaluate(expression.test, scope))) return evaluate(expression.yes, scope);
      return expression.no && evaluate(expression.no, scope);
  }
}

/** A test may ask about a part of something that is not there; anything else may not. */
function evaluateTested(expression: Expression, scope: Scope): Value {
  if (expression.kind === "member" && evaluateTested(expression.of, scope) === undefined) return undefined;
  return evaluate(expression, scope);
}

const named = (expression: Expression): string =>
  expression.kind === "name"
    ? expression.name
    : expression.kind === "member" && expression.key.kind === "literal"
      ? `${named(expression.of)}.${expression.key.value}`
      : "something";

const argumentsOf = ({ values, named }: Arguments, scope: Scope): [readonly Value[], ReadonlyMap<string, Value>] => [
  values.map((value) => evaluate(value, scope)),
  new Map(named.map(([name, value]) => [name, evaluate(value, scope)])),
];

function binary({ operator, left, right }: Extract<Expression, { kind: "binary" }>, scope: Scope): Value {
  const a = evaluate(left, scope);
  if (operator === "and") return truthy(a) ? evaluate(right, scope) : a;
  if (operator === "or") return truthy(a) ? a : evaluate(right, scope);
  const b = evaluate(right, scope);
  switch (operator) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "in":
      return contains(b, a);
    case "not in":
      return !contains(b, a);
    case "~":
      return spendText(said(a) + said(b));
    case "+":
      return sum(a, b);
    case "<":
    case ">":
    case "<=":
    case ">=":
      return compared(operator, a, b);
    default:
      return arithmetic(operator, numeric(a, operator), numeric(b, operator));
  }
}

function sum(a: Value, b: Value): Value {
  if (typeof a === "string" && typeof b === "string") return spendText(a + b);
  if (isList(a) && isList(b)) {
    spend(a.length + b.length);
    return [...a, ...b];
  }
  return numeric(a, "+") + numeric(b, "+");
}

function compared(operator: string, a: Value, b: Value): boolean {
  const order =
    typeof a === "string" && typeof b === "string"
      ? a < b
        ? -1
        : a > b
          ? 1
          : 0
      : numeric(a, operator) - numeric(b, operator);
  return operator === "<" ? order < 0 : operator === ">" ? order > 0 : operator === "<=" ? order <= 0 : order >= 0;
}

function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "//":
      return Math.floor(a / b);
    case "%":
      return a - b * Math.floor(a / b);
    default:
      return a ** b;
  }
}

function numeric(value: Value, operator: string): number {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new DataError(`the chat template uses ${operator} on ${JSON.stringify(said(value))}`);
}
