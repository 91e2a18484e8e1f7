/**
 * What the shipped rules speak, compared with the models' own chat templates: announcement, calls and results are those of
 * the template byte for byte, as far as the table states.
 *
 * @module
 */
import assert from "node:assert/strict";
import { announce } from "../../../src/chat/prompt/announcement.ts";
import { speaks } from "../../../src/chat/prompt/speaker.ts";
import { areTemplatesAbsent, sharedTemplate } from "../../support/shared_templates.ts";
import { shippedRules, speakerOf } from "../../support/spoken.ts";

type Part = "announce" | "calls" | "results";

const ALL: readonly Part[] = ["announce", "calls", "results"];

/** Rule → a template of its models, and the parts that are the same. */
const TEMPLATES: readonly (readonly [rule: string, file: string, parts: readonly Part[]])[] = [
  ["apertus", "llamacpp__Apertus-8B-Instruct", ["calls", "results"]],
  ["arg_key_xml", "llamacpp__GLM-4.6", ALL],
  ["cohere_action", "llamacpp-feb__CohereForAI-c4ai-command-r7b-12-2024-tool_use", ["calls"]],
  ["deepseek_dsml", "llamacpp__deepseek-ai-DeepSeek-V3.2", ["calls", "results"]],
  ["deepseek_v3", "llamacpp__llama-cpp-deepseek-r1", ["calls"]],
  ["deepseek_v31", "llamacpp__deepseek-ai-DeepSeek-V3.1", ["calls", "results"]],
  ["deepseek_v31", "vllm__tool_chat_template_deepseekv31", ["announce", "results"]],
  ["function_json", "llamacpp__meetkai-functionary-medium-v3.1", ["calls"]],
  ["function_name_xml", "llamacpp__openbmb-MiniCPM5-1B", ALL],
  ["functools", "vllm__tool_chat_template_phi4_mini", ["announce"]],
  ["gemma_call", "llamacpp__google-gemma-4-31B-it", ["calls", "results"]],
  ["hermes", "llamacpp__MiMo-VL", ALL],
  ["hermes", "llamacpp__Qwen-Qwen2.5-7B-Instruct", ALL],
  ["hermes", "llamacpp__Qwen-Qwen3-0.6B", ALL],
  ["hermes", "xinf__Baichuan-M2", ALL],
  ["hermes", "llamacpp__ibm-granite-granite-4.0", ["calls", "results"]],
  ["invoke_xml", "xinf__MiniMax-M2.5", ALL],
  ["kimi_k2", "llamacpp__Kimi-K2-Thinking", ["calls"]],
  ["minimax_m3", "llamacpp__MiniMax-M3", ALL],
  ["mistral", "llamacpp__unsloth-mistral-Devstral-Small-2507", ["calls", "results"]],
  ["qwen_xml", "llamacpp__Qwen3-Coder", ALL],
  ["tool_calls_json", "llamacpp__MiniMax-M1", ["announce", "calls"]],
  ["toolcall_list", "llamacpp__NVIDIA-Nemotron-Nano-v2", ALL],
];

const FUNCTIONS = [
  {
    name: "get_weather",
    description: "Look up the weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string", description: "The city" },
        days: { type: "integer", description: "How many" },
      },
      required: ["city"],
    },
  },
  {
    name: "write_file",
    description: "Write a file",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
];
const CALLS = [
  { tool: "get_weather", arguments: { city: "Paris", days: 3 }, index: 0 },
  { tool: "write_file", arguments: { path: "a.txt" }, index: 1 },
];
const USER = [{ role: "system", content: "SYSTEM" }, { role: "user", content: "USER" }];

/** Ids as templates want them. */
const IDS = [
  (index: number, tool: string) => `functions.${tool}:${index}`,
  (index: number) => `abcdefgh${index}`,
];

Deno.test("shipped rules speak as the models' own templates", { ignore: areTemplatesAbsent }, async () => {
  const rules = await shippedRules();
  const different: string[] = [];
  for (const [name, file, parts] of TEMPLATES) {
    const prompts = promptsOf(file);
    const spoken = speech(name, rules);
    for (const part of ALL) {
      const isSame = prompts.some((prompt) => prompt.includes(spoken[part]));
      if (parts.includes(part) !== isSame) {
        different.push(`${name}, ${file}: ${part} ${isSame ? "same" : "differs"}`);
      }
    }
  }
  assert.deepEqual(different, []);
});

Deno.test("no two shipped rules speak to a model by the same name", async () => {
  const names = (await shippedRules()).flatMap(({ speak }) => speak?.models ?? []);
  assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
});

Deno.test("what a shipped rule names otherwise can speak", async () => {
  const spoken = (await shippedRules()).filter(speaks);
  const wrong = spoken.filter(({ speak: { otherwise } }) =>
    otherwise !== undefined && !spoken.some(({ rule }) => rule === otherwise)
  );
  assert.deepEqual(wrong.map(({ rule }) => rule), []);
});

function speech(
  name: string,
  rules: Awaited<ReturnType<typeof shippedRules>>,
): Readonly<Record<Part, string>> {
  const rule = rules.filter(speaks).find((one) => one.rule === name)!;
  const speaker = speakerOf(name, [rule]);
  const written = speaker.writeCalls(
    CALLS,
    FUNCTIONS.map((one) => ({ name: one.name, schema: one.parameters })),
  );
  assert("isOtherwise" in written);
  return {
    announce: announce(FUNCTIONS, { speak: rule.speak, terms: {} }),
    calls: written.text,
    results: speaker.writeResults(
      CALLS.map(({ tool, index }) => ({ tool, content: `RESULT${index}`, index })),
    ),
  };
}

/** What the template makes of the tools, and of a conversation with calls in all forms that templates want. */
function promptsOf(file: string): string[] {
  const template = sharedTemplate(file);
  const tools = FUNCTIONS.map((one) => ({ type: "function", function: one }));
  const render = (messages: readonly Readonly<Record<string, unknown>>[]) =>
    template.render({ messages, tools, asksForAnswer: true }) ?? "";
  const prompts = [render(USER)];
  for (const idOf of IDS) {
    for (const content of ["", null]) {
      const calls = CALLS.map(({ tool, arguments: given, index }) => ({
        id: idOf(index, tool),
        type: "function",
        function: { name: tool, arguments: given },
      }));
      const results = calls.map(({ id, function: { name } }, index) => ({
        role: "tool",
        tool_call_id: id,
        name,
        content: `RESULT${index}`,
      }));
      prompts.push(render([...USER, { role: "assistant", content, tool_calls: calls }, ...results]));
    }
  }
  return prompts;
}
