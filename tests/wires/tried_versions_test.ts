import assert from "node:assert/strict";
import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { packagesOf } from "../agents/folder.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

/** agents.json → the agent's name in the page's table. */
const AGENTS = {
  qwen_code: "Qwen Code",
  opencode: "opencode",
  claude_code: "Claude Code",
  codex: "Codex",
  gemini_cli: "Gemini CLI",
  copilot_cli: "GitHub Copilot CLI",
  pi: "pi",
  continue: "Continue",
  kimi_code: "Kimi Code",
  nanocoder: "Nanocoder",
  cline: "Cline CLI",
  kilo: "Kilo CLI",
} as const;

/** SDK → its name in the page's table. */
const SDKS = {
  "openai": "OpenAI SDK",
  "@ai-sdk/openai": "AI SDK, `@ai-sdk/openai`",
  "@anthropic-ai/sdk": "Anthropic SDK",
  "ollama": "Zed, Ollama SDK",
  "@google/genai": "Google Gen AI SDK",
} as const;

Deno.test("the page of agents names the versions of agents and SDKs that the tests run", async () => {
  const page = await Deno.readTextFile(join(ROOT, "src/docs/agents.md"));
  const rows = new Map(
    page.split("\n").filter((line) => line.startsWith("| ")).map((line) => {
      const [, name = "", ...cells] = line.split("|").map((cell) => cell.trim());
      return [name, cells.at(-2)?.replace("SDK ", "")];
    }),
  );
  const versionOf = (specifier: string) => /@(\d+\.\d+\.\d+)/.exec(specifier)?.[1] ?? specifier;
  const expected = [
    ...Object.entries(AGENTS).map(([key, name]) => [name, versionOf(packagesOf(key)[0] ?? "")]),
    ...Object.entries(SDKS).map(([key, name]) => [
      name,
      versionOf(manifest.imports[key as keyof typeof SDKS]),
    ]),
  ];
  assert.deepEqual(expected.map(([name = ""]) => [name, rows.get(name)]), expected);
});
