/**
 * Events become the `function_call` of clients that offered `functions`, as the API was before there were tools.
 * In: events. Out: one head with the name, then fragments of the arguments; such an answer holds one call.
 *
 * @module
 */
import type { Event } from "../event/event.ts";
import type { Delta, Finish, Renderer } from "./renderer.ts";
import { type ToolCallOptions, ToolCallRenderer } from "./tool_calls.ts";

/** Renders for clients that execute one `function_call`. */
export class FunctionCallRenderer implements Renderer {
  readonly #calls: ToolCallRenderer;

  /**
   * A renderer for one choice.
   *
   * @param options who hears of the renderer's decisions
   */
  constructor(options: Pick<ToolCallOptions, "note"> = {}) {
    this.#calls = new ToolCallRenderer(() => "call", { ...options, isOneCall: true });
  }

  /** True once a call had to be left out and the one before it is whole. */
  get finished(): boolean {
    return this.#calls.finished;
  }

  /** Text as content, the call as its name and fragments of its arguments. */
  render(events: readonly Event[]): Delta[] {
    return this.#calls.render(events).map((delta) => {
      const called = delta.tool_calls?.[0]?.function;
      return called === undefined ? delta : { function_call: called };
    });
  }

  /** The legacy word for the same. */
  finish(reason: string | null): Finish {
    const finish = this.#calls.finish(reason);
    return finish.finishReason === "tool_calls" ? { ...finish, finishReason: "function_call" } : finish;
  }
}
