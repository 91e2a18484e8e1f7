/**
 * An answer as the strict readers of the wires put it together, and what several of them check.
 *
 * @module
 */
import assert from "node:assert/strict";

/** An answer as a strict client puts it together. */
export interface ReadAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** The calls that the client executes: name and arguments. */
  readonly calls: readonly (readonly [name: string, args: unknown])[];
  readonly isWhole: boolean;
  /** Whether its end tells that a limit cut it. */
  readonly isCut?: boolean;
  /** The message of an error that ends it. */
  readonly error?: string | undefined;
}

/** An answer of which nothing is read yet. */
export function unreadAnswer() {
  return {
    text: "",
    reasoning: "",
    calls: [] as ReadAnswer["calls"][number][],
    isWhole: false,
    isCut: false,
    error: undefined as string | undefined,
  };
}

/** Checks a whole call: it has a name, an object of arguments, and an id of its own, which joins `ids`. */
export function checkCall(
  { id, name, args }: Record<"id" | "name" | "args", unknown>,
  ids: Set<unknown>,
): void {
  assert.ok(typeof name === "string" && name !== "" && typeof id === "string" && id !== "");
  assert.ok(typeof args === "object" && args !== null && !Array.isArray(args), "arguments are an object");
  assert.ok(!ids.has(id), "an id comes twice");
  ids.add(id);
}

/** The data of an event of two lines, the first of which names the type in the second. */
export function typedData(event: string) {
  const [head, line, ...others] = event.split("\n");
  assert.deepEqual(others, [], "an event has two lines");
  const data = JSON.parse(line!.replace(/^data: /, ""));
  assert.equal(head, `event: ${data.type}`);
  return data;
}
