/**
 * The calls of one tool from one origin, by what they can repeat: open ones, whole ones by their arguments, and held ones.
 *
 * @module
 */
import { canonicalJson } from "../../engine/json/canonical.ts";

/** What is compared of a call. */
interface ComparedCall {
  readonly json: string;
}

/** The calls of one tool. */
export class CallsOfTool<Call extends ComparedCall> {
  /** The number of calls that haven't ended. */
  open = 0;
  /** The calls whose events are held, in order. */
  readonly held = new Set<Call>();
  readonly #whole = new Set<Call>();
  /** The whole calls by their arguments, and those that weren't looked at yet. */
  readonly #byArguments = new Map<string, Call[]>();
  #added: Call[] = [];

  /** Whether a call of the other origin can repeat one of these. */
  get canBeRepeated(): boolean {
    return this.open > 0 || this.#whole.size > 0;
  }

  /** Adds a whole call. */
  add(call: Call): void {
    this.#whole.add(call);
    this.#added.push(call);
  }

  /** Removes a whole call. */
  remove(call: Call): void {
    this.#whole.delete(call);
  }

  /** The first whole call with the same arguments as a call of the other origin. */
  find(call: Call, options: { readonly isHeld: boolean }): Call | undefined {
    for (const added of this.#added) {
      const key = keyOf(added);
      if (key === undefined) continue;
      const same = this.#byArguments.get(key);
      if (same === undefined) this.#byArguments.set(key, [added]);
      else same.push(added);
    }
    this.#added = [];
    const key = keyOf(call);
    const same = key === undefined
      ? undefined
      : this.#byArguments.get(key)?.filter((one) => this.#whole.has(one));
    if (key === undefined || same === undefined) return undefined;
    this.#byArguments.set(key, same);
    return options.isHeld ? same.find((one) => this.held.has(one)) : same[0];
  }
}

function keyOf({ json }: ComparedCall): string | undefined {
  return canonicalJson(json === "" ? "{}" : json);
}
