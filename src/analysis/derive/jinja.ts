/**
 * What chat templates use of Python and the package doesn't know: methods that change a list, a few filters, loops over
 * a text. Everything else is the package's own; what neither knows stops the template as a whole.
 *
 * @module
 */
import { Environment, Interpreter } from "@huggingface/jinja";

type Statement = NonNullable<Parameters<Interpreter["evaluate"]>[0]>;
type Value = ReturnType<Interpreter["evaluate"]>;

/** A node of the package's tree, whose types the package doesn't export. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly args?: readonly Node[];
  readonly object?: Node;
  readonly property?: Node;
  readonly computed?: boolean;
  readonly operand?: Node;
  readonly filter?: Node;
  readonly iterable?: Node;
}

/** Runs a template as the package does, with what it lacks. */
export class TemplateInterpreter extends Interpreter {
  override evaluate(statement: Statement | undefined, environment: Environment): Value {
    const node = statement as unknown as Node | undefined;
    return this.#evaluateMore(node, environment) ?? super.evaluate(statement, environment);
  }

  /** The value of a node that the package can't evaluate; undefined if it can. */
  #evaluateMore(node: Node | undefined, environment: Environment): Value | undefined {
    switch (node?.type) {
      case "CallExpression":
        return this.#changedList(node, environment);
      case "FilterExpression":
        return this.#filtered(node, environment);
      case "For":
        return this.#loopOverText(node, environment);
      default:
        return undefined;
    }
  }

  /** `names.append(name)` and `names.pop(0)`. */
  #changedList({ callee, args = [] }: Node, environment: Environment): Value | undefined {
    const method = callee?.type === "MemberExpression" && !callee.computed
      ? callee.property?.value
      : undefined;
    if (method !== "append" && method !== "pop") return undefined;
    const list = this.#value(callee!.object, environment);
    if (!Array.isArray(list.value)) return undefined;
    const values = list.value as Value[];
    const given = args.map((argument) => this.#value(argument, environment));
    if (method === "pop") return values.splice(Number(given[0]?.value ?? -1), 1)[0] ?? valueOf(null);
    values.push(...given);
    return valueOf(null);
  }

  #filtered({ operand, filter }: Node, environment: Environment): Value | undefined {
    const name = String(filter?.value ?? filter?.callee?.value ?? "");
    if (!["min", "max", "string", "format"].includes(name)) return undefined;
    const value = this.#value(operand, environment);
    if (name === "string") return valueOf(pythonText(value));
    if (name === "format") {
      const given = (filter?.args ?? []).map((argument) => pythonText(this.#value(argument, environment)));
      return valueOf(String(value.value).replace(/%[sd]/g, (mark) => given.shift() ?? mark));
    }
    if (!Array.isArray(value.value)) return undefined;
    const sorted = [...value.value as Value[]].sort((a, b) => Number(a.value) - Number(b.value));
    return sorted.at(name === "min" ? 0 : -1);
  }

  /** A loop over a text takes its characters. */
  #loopOverText(node: Node, environment: Environment): Value | undefined {
    const isName = node.iterable?.type === "Identifier" || node.iterable?.type === "MemberExpression";
    const text = isName ? this.#value(node.iterable, environment).value : undefined;
    if (typeof text !== "string") return undefined;
    const characters = [...text].map((value) => ({ type: "StringLiteral", value }));
    const loop = { ...node, iterable: { type: "ArrayLiteral", value: characters } };
    return super.evaluate(loop as unknown as Statement, environment);
  }

  #value(node: Node | undefined, environment: Environment): Value {
    return this.evaluate(node as unknown as Statement, environment);
  }
}

/** A value of the template's language. */
function valueOf(value: unknown): Value {
  return new Environment().set("value", value);
}

/** What Python's `str` makes of a value. */
function pythonText(value: Value): string {
  return typeof value.value === "string" ? value.value : repr(value);
}

function repr({ value }: Value): string {
  if (typeof value === "string") {
    return value.includes("'") && !value.includes('"') ? `"${value}"` : `'${escaped(value)}'`;
  }
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((one) => repr(one as Value)).join(", ")}]`;
  if (!(value instanceof Map)) return String(value);
  return `{${[...value].map(([key, one]) => `'${escaped(String(key))}': ${repr(one as Value)}`).join(", ")}}`;
}

function escaped(text: string): string {
  return text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n");
}
