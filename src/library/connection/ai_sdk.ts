/**
 * A middleware for models of the AI SDK, versions 3 and 4 of its provider interface: `dragoman-engine/ai-sdk`. It has no type
 * of the SDK, so it needs none of its packages. What reads an answer is loaded while the model works on the first one.
 *
 * @module
 */
import type { ConnectionOptions } from "../types.ts";
import { connectionOf } from "./options.ts";

/** A middleware for `wrapLanguageModel`. */
export interface DragomanMiddleware {
  /** The version of the interface. Version 4 takes it, too. */
  readonly specificationVersion: "v3";
  /** Tells the model about its tools in the prompt, with `prompt`. */
  transformParams<Params extends object>(
    options: { readonly params: Params; readonly model?: { readonly modelId: string } },
  ): Promise<Params>;
  /** Reads a whole answer. */
  wrapGenerate<Result>(options: GenerateCall<Result>): Promise<Result>;
  /** Reads an answer while it arrives. */
  wrapStream<Result>(options: StreamCall<Result>): Promise<Result>;
}

/** What the SDK gives `wrapGenerate`. */
export interface GenerateCall<Result> {
  /** Asks the model. */
  doGenerate(): PromiseLike<Result>;
  /** The request. */
  readonly params: object;
}

/** What the SDK gives `wrapStream`. */
export interface StreamCall<Result> {
  /** Asks the model. */
  doStream(): PromiseLike<Result>;
  /** The request. */
  readonly params: object;
}

/**
 * Makes calls of the text of a model's answers.
 *
 * @throws TypeError if the rules aren't rules
 */
export function dragomanMiddleware(options: ConnectionOptions = {}): DragomanMiddleware {
  const connection = connectionOf(options);
  /** Request that the model gets → the request with its tools. */
  const asked = new WeakMap<object, object>();
  const answered = (params: object) => ({ request: { ...asked.get(params) ?? params }, connection });
  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      const { prompt } = connection;
      if (prompt === undefined || prompt === false) return params;
      const { promptedParams } = await import("./ai_sdk_prompt.ts");
      const changed = await promptedParams(params, { connection, model: model?.modelId ?? "" });
      asked.set(changed, params);
      return changed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const [result, { readWhole }] = await Promise.all([doGenerate(), import("./ai_sdk_answers.ts")]);
      return readWhole(result, answered(params));
    },
    async wrapStream({ doStream, params }) {
      const [result, { readStream }] = await Promise.all([doStream(), import("./ai_sdk_answers.ts")]);
      return readStream(result, answered(params));
    },
  };
}
