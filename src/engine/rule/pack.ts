/** Writes rules as compiled ones, which a reader loads without the parsers of rules. @module */
import {
  type CompiledRules,
  FORMAT,
  type PackedNode,
  type PackedRule,
  USUAL_BODIES,
  USUAL_FIELDS,
  type WeightedRule,
} from "../compiled/format.ts";
import { isRecord } from "../object/record.ts";
import { complement, type Node, type Ranges, SPACE } from "../pattern/node.ts";
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
  const speech = new Map(
    withSpeech ? rules.flatMap((rule) => speechOf(rule) ?? []).map((one) => [one.rule, one]) : [],
  );
  const weighted = weighRules(rules).rules.map((rule) => ({ ...rule, speech: speech.get(rule.name) }));
  return packWeighted(weighted, { by });
}

export function packWeighted(rules: readonly WeightedRule[], { by }: Pick<PackOptions, "by">): CompiledRules {
  const writer = new NodeWriter();
  const packed = rules.map((rule) => {
    const { opener, closer, wrapperCloser, body, weight, speech, ...fields } = rule;
    return withoutUndefined({
      ...unusual(fields, USUAL_FIELDS),
      name: rule.name,
      opener: writer.refer(opener),
      closer: writer.refer(closer),
      wrapperCloser: wrapperCloser && writer.refer(wrapperCloser),
      body: withoutUndefined(Object.fromEntries(
        Object.entries(unusual(body, USUAL_BODIES[body.kind] ?? {})).map((
          [key, value],
        ) => [key, NODE_FIELDS.has(key) ? referAll(value, writer) : value]),
      )),
      weight: weight === rule.confidence ? undefined : weight,
      speech,
    });
  });
  writer.order();
  const written = packed.map((rule) => writer.write(rule) as PackedRule);
  return { v: FORMAT, by, nodes: writer.nodes, rules: written };
}

/** The fields that differ from the usual ones. */
function unusual(fields: object, usual: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(usual[field])),
  );
}

/** The fields of a body that are nodes or lists of them. */
const NODE_FIELDS: ReadonlySet<string> = new Set(["between", "itemOpener", "itemClosers", "value"]);

function referAll(value: unknown, writer: NodeWriter): unknown {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map((node: Node) => writer.refer(node)) : writer.refer(value as Node);
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A node while nodes are collected, and how often it is used. */
class Shared {
  readonly id: number;
  readonly packed: readonly unknown[];
  /** What it is, in words that sort similar nodes together. */
  readonly text: string;
  uses = 0;

  constructor(id: number, packed: readonly unknown[]) {
    this.id = id;
    this.packed = packed;
    this.text = packed.map((item) => item instanceof Shared ? item.text : String(item)).join();
  }

  /** Nodes are compared as text. */
  toJSON(): number {
    return this.id;
  }
}

/** Whether a node is in the list. Few uses, or those of a short node, compress better in their places. */
function isListed({ uses, text }: Shared): boolean {
  return uses > (text.length < 16 ? 4 : 2);
}

/** A node that is collected, or the text that it matches. */
type Reference = Shared | string;

/** Collects nodes, and writes each of them once: in its place or in a list. */
class NodeWriter {
  readonly nodes: PackedNode[] = [];
  readonly #known = new Map<string, Shared>();
  readonly #indexes = new Map<Shared, number>();

  refer(node: Node): Reference {
    const reference = this.#collect(node);
    if (reference instanceof Shared) reference.uses++;
    return reference;
  }

  /** Lists the nodes that are used more often, similar ones together, which compresses better; call it when all are collected. */
  order(): void {
    const listed = [...this.#known.values()].filter(isListed);
    listed.sort((a, b) => a.text < b.text ? -1 : 1);
    for (const node of listed) this.#index(node);
  }

  /** What is written for a value with collected nodes in it; call it when all are collected. */
  write(value: unknown): unknown {
    if (value instanceof Shared) return isListed(value) ? this.#index(value) : this.write(value.packed);
    if (Array.isArray(value)) return value.map((item) => this.write(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.write(item)]));
  }

  #index(shared: Shared): number {
    const known = this.#indexes.get(shared);
    if (known !== undefined) return known;
    const written = this.write(shared.packed) as PackedNode;
    this.#indexes.set(shared, this.nodes.length);
    return this.nodes.push(written) - 1;
  }

  #collect(node: Node): Reference {
    return textOf(node) ?? this.#share(this.#pack(node));
  }

  #share(packed: readonly unknown[]): Shared {
    const key = JSON.stringify(packed);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    for (const item of packed) if (item instanceof Shared) item.uses++;
    const shared = new Shared(this.#known.size, packed);
    this.#known.set(key, shared);
    return shared;
  }

  #pack(node: Node): readonly unknown[] {
    switch (node.type) {
      case "sequence":
        return ["s", ...this.#items(node.items)];
      case "characters":
        return packRanges(node.ranges);
      case "choice":
        return ["|", ...node.items.map((item) => this.#collect(item))];
      case "repeat": {
        const { minimum, maximum, greedy } = node;
        if (minimum === 0 && maximum === 1 && greedy) return ["?", this.#collect(node.item)];
        return [
          "*",
          this.#collect(node.item),
          minimum,
          maximum === Infinity ? -1 : maximum,
          ...(greedy ? [] : [0]),
        ];
      }
      case "group":
        return ["g", node.name, this.#collect(node.item)];
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
  #items(items: readonly Node[]): Reference[] {
    const written: Reference[] = [];
    for (const item of items) {
      const last = written.at(-1);
      const character = characterOf(item);
      if (character === undefined) written.push(this.#itemOf(item));
      else if (typeof last === "string") written[written.length - 1] = last + character;
      else written.push(character);
    }
    return written;
  }

  /** A node in a sequence, in which a text of its own is a sequence, too. */
  #itemOf(node: Node): Shared {
    const reference = this.#collect(node);
    return reference instanceof Shared ? reference : this.#share(["s", reference]);
  }
}

/** Characters: those of a negated class as what it leaves out, and whitespace as one mark. */
function packRanges(ranges: Ranges): readonly unknown[] {
  const isNegated = ranges.at(-1)?.[1] === 0xffff;
  const others = isNegated ? complement(ranges) : ranges;
  const isOf = (some: Ranges, [from, to]: Ranges[number]) =>
    some.some((one) => one[0] === from && one[1] === to);
  const hasSpace = SPACE.every((range) => isOf(others, range));
  const written = hasSpace ? others.filter((range) => !isOf(SPACE, range)) : others;
  return [isNegated ? "n" : "c", ...(hasSpace ? [-1] : []), ...written.flat()];
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
