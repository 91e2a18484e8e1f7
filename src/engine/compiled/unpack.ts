/** Reads compiled rules. It needs no parser: no YAML, no schema, no patterns as text. @module */
import { complement, type Node, normalize, optional, SPACE } from "../pattern/node.ts";
import type { Body } from "../scan/compiled_rule.ts";
import {
  type CompiledRules,
  type PackedNode,
  type PackedReference,
  type PackedRule,
  USUAL_BODIES,
  USUAL_FIELDS,
  type WeightedRule,
} from "./format.ts";

/** The rules in compiled ones that this code has compiled: nothing is checked, and nodes are read when a text needs them. */
export function unpackRules(compiled: CompiledRules): WeightedRule[] {
  const nodes: Node[] = [];
  for (const node of compiled.nodes) nodes.push(unpackNode(node, nodes));
  return compiled.rules.map((rule) => unpackRule(rule, nodes));
}

function unpackRule(packed: PackedRule, nodes: readonly Node[]): WeightedRule {
  const { opener, closer, wrapperCloser, body } = packed;
  const read = (reference: unknown) => nodeOf(reference as PackedReference, nodes);
  // Objects that are spread into a literal take twice the memory and time where nothing is optimized yet.
  return Object.assign({ weight: packed["confidence"] ?? USUAL_FIELDS.confidence }, USUAL_FIELDS, packed, {
    opener: read(opener),
    closer: read(closer),
    ...(wrapperCloser === undefined ? undefined : { wrapperCloser: read(wrapperCloser) }),
    body: unpackBody(body as PackedBody, read),
  }) as unknown as WeightedRule;
}

type PackedBody = Readonly<Record<string, unknown>> & { readonly kind: string };

function unpackBody(packed: PackedBody, read: (reference: unknown) => Node): Body {
  const { kind, between, itemOpener, itemClosers, value } = packed;
  const body = Object.assign({}, USUAL_BODIES[kind], packed) as Record<string, unknown>;
  if (between !== undefined) body["between"] = read(between);
  if (value !== undefined) body["value"] = read(value);
  if (itemOpener !== undefined) body["itemOpener"] = read(itemOpener);
  if (Array.isArray(itemClosers)) body["itemClosers"] = itemClosers.map(read);
  return body as unknown as Body;
}

/** A node that is referred to: a text, one in its place, or an earlier one. */
function nodeOf(reference: PackedReference, nodes: readonly Node[]): Node {
  if (typeof reference === "string") {
    return reference.length === 1 ? characterOf(reference) : new PackedSequence([reference], nodes);
  }
  if (typeof reference !== "number") return unpackNode(reference, nodes);
  const node = nodes[reference];
  if (node === undefined) throw new RangeError(`there is no node ${reference}`);
  return node;
}

/** A sequence whose items are read when a text first comes to it: an answer needs those of a few rules. */
class PackedSequence {
  readonly type = "sequence";
  readonly #packed: readonly PackedReference[];
  readonly #nodes: readonly Node[];
  #items: readonly Node[] | undefined;

  constructor(packed: readonly PackedReference[], nodes: readonly Node[]) {
    this.#packed = packed;
    this.#nodes = nodes;
  }

  get items(): readonly Node[] {
    return this.#items ??= itemsOf(this.#packed, this.#nodes);
  }

  /** Patterns are compared as JSON. */
  toJSON(): unknown {
    return { type: this.type, items: this.items };
  }
}

/** The items of a sequence, in which a text is all its characters. */
function itemsOf(items: readonly PackedReference[], nodes: readonly Node[]): Node[] {
  const read: Node[] = [];
  items.forEach((item) => {
    if (typeof item !== "string") read.push(nodeOf(item, nodes));
    else for (let at = 0; at < item.length; at++) read.push(characterOf(item[at]!));
  });
  return read;
}

/** A character is one node, however often it occurs. */
const characters = new Map<string, Node>();

function characterOf(character: string): Node {
  let node = characters.get(character);
  if (node === undefined) {
    const unit = character.charCodeAt(0);
    characters.set(character, node = { type: "characters", ranges: [[unit, unit]] });
  }
  return node;
}

function unpackNode(packed: PackedNode, nodes: readonly Node[]): Node {
  switch (packed[0]) {
    case "s":
      return new PackedSequence(packed.slice(1) as PackedReference[], nodes);
    case "c":
    case "n": {
      const [kind, ...ends] = packed;
      let at = ends.length % 2;
      const ranges = at === 0 ? [] : [...SPACE];
      for (; at < ends.length; at += 2) ranges.push([ends[at]!, ends[at + 1]!]);
      return { type: "characters", ranges: kind === "n" ? complement(ranges) : normalize(ranges) };
    }
    case "|":
      return {
        type: "choice",
        items: (packed.slice(1) as PackedReference[]).map((item) => nodeOf(item, nodes)),
      };
    case "*": {
      const [, item, minimum, maximum, greedy] = packed;
      return {
        type: "repeat",
        item: nodeOf(item, nodes),
        minimum,
        maximum: maximum < 0 ? Infinity : maximum,
        greedy: greedy !== 0,
      };
    }
    case "?":
      return optional(nodeOf(packed[1], nodes));
    case "g":
      return { type: "group", name: packed[1], item: nodeOf(packed[2], nodes) };
    case "r":
      return { type: "reference", name: packed[1] };
    case "h":
      return { type: "hole", name: packed[1] };
    case "^":
      return { type: "line_start" };
    case "m":
      return { type: "mark" };
    case "$":
      return { type: "end" };
    default:
      throw new RangeError(`a node has the unknown kind ${String(packed[0])}`);
  }
}
