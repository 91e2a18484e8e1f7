/**
 * Adds an instruction to the system prompt that shows the model how to write calls of the request's own tools. Nothing
 * else in the request changes.
 *
 * @module
 */
import {
  type ChatRequest,
  type ExampleForm,
  matchesGlob,
  type OfferedTool,
  type Plugin,
  type PluginContext,
  type RequestMessage,
  writeExampleCall,
} from "../src/proxy/plugin/mod.ts";

interface Options {
  readonly models: readonly string[];
  readonly place: "prefix" | "suffix";
  readonly example: "auto" | ExampleForm;
  readonly tools: readonly string[];
  readonly examples_max: number;
  readonly instruction: string;
}

const plugin: Plugin<Options> = {
  name: "prompt_format",
  description: "Adds an instruction about the expected dialect to the system prompt",
  options: {
    models: {
      type: "texts",
      default: [],
      description: "Models to instruct, with * as a wildcard; if empty, all models",
    },
    place: {
      type: "text",
      default: "suffix",
      values: ["prefix", "suffix"],
      description: "Where to put the instruction",
    },
    example: {
      type: "text",
      default: "auto",
      values: ["auto", "json", "parameters"],
      description:
        "The notation of the example. `auto`: as in the client's own prompt (without one, as `json`); `json`: JSON in the tool's tag; `parameters`: a tag for each parameter in the tool's tag",
    },
    tools: {
      type: "texts",
      default: [],
      description: "Tools to show; if empty, the first tools in the request",
    },
    examples_max: { type: "number", default: 2, minimum: 1, description: "How many examples are shown" },
    instruction: {
      type: "text",
      default: "To use a tool, write the call exactly like this, outside of code fences:",
      description: "The text before the examples",
    },
  },

  onRequest(request, context) {
    const { models } = context.options;
    if (models.length > 0 && !models.some((pattern) => matchesGlob(pattern, String(request.model)))) {
      return undefined;
    }
    const text = instructionFor(context);
    return text === undefined
      ? undefined
      : { body: instruct(request, { text, place: context.options.place }) };
  },
};

export default plugin;

function instructionFor({ offered, options, writeExample }: PluginContext<Options>): string | undefined {
  const names = options.tools.length > 0 ? options.tools : offered.names;
  const tools = names.flatMap((name) => offered.resolve(name) ?? []).slice(0, options.examples_max);
  if (tools.length === 0) return undefined;
  const { example } = options;
  const write = (tool: OfferedTool) =>
    (example === "auto" ? writeExample?.(tool.name) : undefined) ??
      writeExampleCall(tool, example === "auto" ? "json" : example);
  return [options.instruction, ...tools.map(write)].join("\n\n");
}

function instruct(
  request: ChatRequest,
  { text, place }: { readonly text: string; readonly place: Options["place"] },
): ChatRequest {
  const messages = Array.isArray(request.messages) ? request.messages as readonly RequestMessage[] : [];
  const at = messages.findIndex(({ role }) => role === "system" || role === "developer");
  if (at < 0) return { ...request, messages: [{ role: "system", content: text }, ...messages] };
  const changed = messages.map((message, index) =>
    index === at ? { ...message, content: join(message.content, { text, place }) } : message
  );
  return { ...request, messages: changed };
}

function join(
  content: RequestMessage["content"],
  { text, place }: { readonly text: string; readonly place: Options["place"] },
): NonNullable<RequestMessage["content"]> {
  if (typeof content === "string") {
    return place === "prefix" ? `${text}\n\n${content}` : `${content}\n\n${text}`;
  }
  const part = { type: "text", text };
  const parts = Array.isArray(content) ? content : [];
  return place === "prefix" ? [part, ...parts] : [...parts, part];
}
