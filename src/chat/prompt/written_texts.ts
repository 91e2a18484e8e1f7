/** Remembers what calls became in a dialect: an agent sends its whole conversation with every request. @module */
import type { OfferedTool } from "../../engine/tool/offered.ts";
import type { SpokenCall, WrittenCalls } from "./spoken.ts";

/** The characters of all keys and texts; beyond that, what was used least recently is forgotten. */
const CHARACTERS_MAX = 8 * 1024 * 1024;

export class WrittenTexts {
  readonly #known = new Map<string, WrittenCalls>();
  readonly #schemas = new WeakMap<OfferedTool, string>();
  readonly #charactersMax: number;
  #characters = 0;

  /** @param charactersMax the characters of all keys and texts */
  constructor(charactersMax = CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  get size(): number {
    return this.#known.size;
  }

  /** What the calls became; the first time, by writing them. */
  find(
    calls: readonly SpokenCall[],
    { tools, write }: { readonly tools: readonly OfferedTool[]; readonly write: () => WrittenCalls },
  ): WrittenCalls {
    const key = this.#keyOf(calls, tools);
    const known = this.#known.get(key);
    const written = known ?? write();
    // The map has its entries in the order of their last use.
    if (known === undefined) this.#characters += weigh(key, written);
    else this.#known.delete(key);
    this.#known.set(key, written);
    this.#forget();
    return written;
  }

  #forget(): void {
    for (const [key, written] of this.#known) {
      if (this.#characters <= this.#charactersMax) return;
      this.#known.delete(key);
      this.#characters -= weigh(key, written);
    }
  }

  /** The calls, and the schemas that decide how their values are read. */
  #keyOf(calls: readonly SpokenCall[], tools: readonly OfferedTool[]): string {
    const names = new Set(calls.map(({ tool }) => tool));
    const named = tools.filter(({ name }) => names.has(name))
      .map((tool) => JSON.stringify(tool.name) + this.#schemaOf(tool));
    return JSON.stringify(calls) + named.join("");
  }

  #schemaOf(tool: OfferedTool): string {
    const known = this.#schemas.get(tool);
    const schema = known ?? JSON.stringify(tool.schema ?? null);
    if (known === undefined) this.#schemas.set(tool, schema);
    return schema;
  }
}

function weigh(key: string, written: WrittenCalls): number {
  return key.length + written.text.length;
}
