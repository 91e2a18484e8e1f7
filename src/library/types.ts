/**
 * The types that users of the library see. They name nothing of another package and nothing of the other rooms, so the
 * declarations need no other file.
 *
 * @module
 */

/** A JSON Schema, as a request has it. */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

/** A tool that the model can call. */
export interface Tool {
  /** The tool's name. */
  readonly name: string;
  /** The schema of its arguments; without it, values stay text. */
  readonly parameters?: JsonSchema | undefined;
  /** Other names that the model may use. */
  readonly aliases?: readonly string[] | undefined;
}

declare const brand: unique symbol;

/** Rules that are ready to read. What is in them is not part of the API. */
export interface Rules {
  /** Keeps other objects from being taken for rules. */
  readonly [brand]: true;
}

/** Compiled rules as plain data; `dragoman rules compile` writes them. What is in them is not part of the API. */
export interface CompiledRules {
  /** The number of the format; a reader refuses another one. */
  readonly v: number;
  /** The program that wrote them, with its version. */
  readonly by: string;
  /** The patterns. */
  readonly nodes: readonly unknown[];
  /** The rules. */
  readonly rules: readonly unknown[];
}

/** What decides how answers are read. */
export interface ReadOptions {
  /** The rules. */
  readonly rules: Rules;
  /** The tools that the model was offered; only they are called. Without them, every name is a tool, and values stay text. */
  readonly tools?: readonly Tool[] | undefined;
  /** The least confidence of a rule that can make a call, 0 to 1; 0.9 by default. */
  readonly minimumConfidence?: number | undefined;
  /**
   * Calls in the model's reasoning. `recover` (the default): a call at its end is made if the answer has no text and no
   * other call; `ignore`: none is.
   */
  readonly reasoning?: "ignore" | "recover" | undefined;
  /**
   * Reasoning in the text, such as `<think>…</think>`. `separate` (the default): it is given as `reasoning`, without its
   * marks; `keep`: it stays in the text.
   */
  readonly reasoningText?: "separate" | "keep" | undefined;
  /** Whether the answer begins inside the reasoning, because the model's template opened it. */
  readonly beginsInReasoning?: boolean | undefined;
  /** Texts of the request that the model may quote: what users and tools wrote. A call that is in them is not made. */
  readonly quotable?: readonly string[] | undefined;
  /**
   * Checks the commands of rules with `call.allowed_commands`: `isAllowedCommand` of `dragoman-engine/compile`, which is the
   * parser of a shell. Without it, such rules make no call.
   */
  readonly isAllowedCommand?: ((text: string, words: readonly string[]) => boolean) | undefined;
  /** Receives decisions and repairs; never contents of the answer. */
  readonly onNote?: ((note: Note) => void) | undefined;
}

/** What decides how one answer is read while it arrives. */
export interface ReaderOptions extends ReadOptions {
  /** Whether calls are announced only when they are whole. A call that breaks off then stays text. */
  readonly wholeCalls?: boolean | undefined;
}

/** The code of a decision or a repair, such as `unknown_tool`. Later versions can have more of them. */
export type Reason = string;

/** A decision or a repair. */
export interface Note {
  /** Its code. */
  readonly reason: Reason;
  /** The name of the rule. */
  readonly rule: string;
  /** The tool, if it is known. */
  readonly tool?: string | undefined;
  /** The number of the call, if there is one. */
  readonly call?: number | undefined;
  /** The start of the candidate in the answer, in UTF-16 units. */
  readonly start: number;
  /** Its end. */
  readonly end: number;
  /** A phrase for a person; not part of the API. */
  readonly detail?: string | undefined;
}

/** What a reader gives. Ignore kinds that you don't know: later versions can have more of them. */
export type ReaderEvent =
  /** Text that isn't a call, unchanged. */
  | { readonly kind: "text"; readonly text: string }
  /** The model's reasoning, without its marks. */
  | { readonly kind: "reasoning"; readonly text: string }
  /** A call begins. */
  | {
    readonly kind: "call_start";
    /** The number of the call in its answer: 0, 1, 2 … */
    readonly call: number;
    /** The tool's own name. */
    readonly tool: string;
    /** The rule that read the call. */
    readonly rule: string;
    /** The rule's confidence. */
    readonly confidence: number;
    /** What a wrapper states about the call. */
    readonly meta?: Readonly<Record<string, string>>;
  }
  /** A piece of the call's arguments. All pieces together are one JSON object. */
  | { readonly kind: "arguments"; readonly call: number; readonly json: string }
  /** The call is whole. `repairs` and `source` are there with `wholeCalls`. */
  | {
    readonly kind: "call_end";
    readonly call: number;
    /** What was repaired in the call's text. */
    readonly repairs?: readonly Reason[];
    /** The call's text as the model wrote it. */
    readonly source?: string;
  }
  /** A call broke off after it was announced: its arguments aren't whole, so don't run it. */
  | { readonly kind: "call_abort"; readonly call: number; readonly reason: Reason }
  /** The calls until `group_end` belong together. */
  | { readonly kind: "group_start"; readonly rule: string; readonly mode: string | null }
  | { readonly kind: "group_end" };

/** Reads one answer while it arrives. How the text is cut never changes the events. */
export interface Reader {
  /** Reads more text, and gives what is decided by now. */
  push(text: string): ReaderEvent[];
  /** Reads reasoning that the server sends apart from the text; it isn't given back. */
  reasoning(text: string): ReaderEvent[];
  /**
   * Ends the answer, and gives the rest.
   *
   * @param options `truncated`: the answer was cut off, for example by a limit of tokens
   */
  end(options?: { readonly truncated?: boolean | undefined }): ReaderEvent[];
}

/** A call of an answer. */
export interface AnswerCall {
  /** The tool's own name. */
  readonly tool: string;
  /** The arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The arguments as JSON text, with every digit of their numbers. */
  readonly json: string;
  /** The rule that read the call. */
  readonly rule: string;
}

/** What was read of a whole answer. */
export interface ReadAnswer {
  /** The text without the calls. */
  readonly text: string;
  /** The reasoning, if a rule sends it apart; else empty. */
  readonly reasoning: string;
  /** The calls, all of them whole, in their order. */
  readonly calls: readonly AnswerCall[];
}

/** The dialect in which a model learns its tools: the name of a rule, or the model, whose name finds it. */
export type Prompt = { readonly dialect: string } | { readonly model: string };

/** What the connection to a model decides: `dragomanFetch` and `dragomanMiddleware`. */
export interface ConnectionOptions extends Omit<ReadOptions, "rules" | "tools" | "quotable" | "onNote"> {
  /** The rules; those that ship with the library by default. */
  readonly rules?: Rules | undefined;
  /**
   * Writes the tools into the prompt, for a server that knows nothing of tools. `true`: in the dialect that
   * knows the request's model best.
   */
  readonly prompt?: Prompt | boolean | undefined;
  /** Receives decisions, repairs, and why a request or an answer was passed on unchanged. */
  readonly onNote?: ((note: Note) => void) | undefined;
}
