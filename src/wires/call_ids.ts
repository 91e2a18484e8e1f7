/** Ids for calls where clients omit them. A result is matched by its id, else by the tool's name and the order. @module */

export class CallIds {
  #count = 0;
  readonly #open: { readonly id: string; readonly tool: string }[] = [];

  /** The id of a call: the client's own, or a new one. */
  add(tool: string, id: unknown): string {
    const given = typeof id === "string" && id !== "" ? id : `call_${this.#count++}`;
    this.#open.push({ id: given, tool });
    return given;
  }

  /** The id of the call that a result answers. */
  take(tool: unknown, id: unknown): string {
    const hasId = typeof id === "string" && id !== "";
    const named = this.#open.findIndex((call) => hasId ? call.id === id : call.tool === tool);
    const at = named < 0 && !hasId ? 0 : named;
    return this.#open.splice(at, at < 0 ? 0 : 1)[0]?.id ?? (hasId ? id : `call_${this.#count++}`);
  }
}
