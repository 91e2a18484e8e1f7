/**
 * Writes rules as compiled ones, which a reader loads without the parsers of rules.
 *
 * @module
 */
import {
  type CompiledRules,
  FORMAT,
  type PackedNode,
  type PackedReference,
  type PackedRule,
  USUAL_FIELDS,
} from "../compiled/format.ts";
import type { Node } from "../pattern/node.ts";
import { weighRules } from "./compile.ts";
import type { Rule } from "./schema.ts";
import { speechOf } from "./speech.ts";

/** What is written besides the rules. */
export interface PackOptions {
  /** The program that writes, with its version. */
  readonly by: string;
  /** Whether how a rule's dialect is spoken is written, too. */
  readonly withSpeech?: boolean;
}

/** Compiles rules, on or off, and writes them. Rules with problems are left out. */
export function packRules(rules: readonly Rule[], { by, withSpeech = false }: PackOptions): CompiledRules {
  const writer = new NodeWriter();
  const speech = new Map(
    withSpeech ? rules.flatMap((rule) => speechOf(rule) ?? []).map((one) => [one.rule, one]) : [],
  );
  const packed = weighRules(rules).rules.map(({ rule, weight }): PackedRule => {
    const { opener, closer, wrapperCloser, body, ...fields } = rule;
    const packed = {
      ...unusual(fields),
      name: rule.name,
      opener: writer.refer(opener),
      closer: writer.refer(closer),
      wrapperCloser: wrapperCloser && writer.refer(wrapperCloser),
      body: withoutUndefined(Object.fromEntries(
        Object.entries(body).map((
          [key, value],
        ) => [key, NODE_FIELDS.has(key) ? referAll(value, writer) : value]),
      )),
      weight: weight === rule.confidence ? undefined : weight,
      speech: speech.get(rule.name),
    };
    return withoutUndefined(packed) as PackedRule;
  });
  return { v: FORMAT, by, nodes: writer.nodes, rules: packed };
}

/** The fields that differ from those of most rules. */
function unusual(fields: object): object {
  const usual: Readonly<Record<string, unknown>> = USUAL_FIELDS;
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(usual[field])),
  );
}

/** The fields of a body that are nodes or lists of them. */
const NODE_FIELDS: ReadonlySet<string> = new Set(["between", "itemOpener", "itemClosers"]);

function referAll(value: unknown, writer: NodeWriter): unknown {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map((node: Node) => writer.refer(node)) : writer.refer(value as Node);
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Writes each node once. */
class NodeWriter {
  readonly nodes: PackedNode[] = [];
  readonly #known = new Map<string, number>();

  /** The reference to a node. */
  refer(node: Node): PackedReference {
    const text = textOf(node);
    if (text !== undefined) return text;
    const packed = this.#pack(node);
    const key = JSON.stringify(packed);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.nodes.length);
    return this.nodes.push(packed) - 1;
  }

  #pack(node: Node): PackedNode {
    switch (node.type) {
      case "sequence":
        return ["s", ...this.#items(node.items)];
      case "characters":
        return ["c", ...node.ranges.flat()];
      case "choice":
        return ["|", ...node.items.map((item) => this.refer(item))];
      case "repeat": {
        const { minimum, maximum, greedy } = node;
        return ["*", this.refer(node.item), minimum, maximum === Infinity ? -1 : maximum, greedy ? 1 : 0];
      }
      case "group":
        return ["g", node.name, this.refer(node.item)];
      case "reference":
        return ["r", node.name];
      case "hole":
        return ["h", node.name];
      case "line_start":
        return ["^"];
      case "mark":
        return ["m"];
      case "end":
        return ["$"];
    }
  }

  /** The items of a sequence, with single characters that follow each other as one text. */
  #items(items: readonly Node[]): PackedReference[] {
    const written: PackedReference[] = [];
    for (const item of items) {
      const last = written.at(-1);
      const character = characterOf(item);
      if (character === undefined) written.push(this.#index(item));
      else if (typeof last === "string") written[written.length - 1] = last + character;
      else written.push(character);
    }
    return written;
  }

  /** The index of a node, also of a text that is a node of its own. */
  #index(node: Node): number {
    const reference = this.refer(node);
    if (typeof reference === "number") return reference;
    const packed: PackedNode = ["s", reference];
    const key = JSON.stringify(packed);
    const known = this.#known.get(key) ?? this.nodes.push(packed) - 1;
    this.#known.set(key, known);
    return known;
  }
}

/** The text that a node matches; undefined if it isn't a single character or a sequence of at least two. */
function textOf(node: Node): string | undefined {
  if (node.type !== "sequence") return characterOf(node);
  if (node.items.length < 2) return undefined;
  const characters = node.items.map(characterOf);
  return characters.includes(undefined) ? undefined : characters.join("");
}

function characterOf(node: Node): string | undefined {
  if (node.type !== "characters" || node.ranges.length !== 1) return undefined;
  const [[from, to] = [0, -1]] = node.ranges;
  return from === to && from <= 0xffff ? String.fromCharCode(from) : undefined;
}
