import assert from "node:assert/strict";
import { createRuleSets } from "../../../src/chat/translator/rule_sets.ts";
import { createPrompting, createSpeakers, toolMode } from "../../../src/proxy/upstream/speakers.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { ToolMemory } from "../../../src/proxy/upstream/learned_tools.ts";
import { Servers } from "../../../src/proxy/upstream/servers.ts";
import { testConfig } from "../../support/proxy.ts";
import { SMALL_RULES } from "../../support/spoken.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = { tags: ["*"], object: ["*Coder*"] };
const RULES = SMALL_RULES.map((rule) => ({
  ...rule,
  speak: { ...rule.speak!, models: [...NAMES[rule.rule]!] },
}));

function dialectOf(model: string | undefined, settings: Record<string, unknown> = {}, models = {}) {
  const config = testConfig(undefined, {
    upstreams: [{ name: "local", url: "http://x/v1", ...settings }],
    models,
  });
  const { program } = compileRules(RULES);
  const ruleSetFor = createRuleSets({ config, program });
  const asked = { model, upstream: config.upstreams[0]! };
  return {
    dialect: createSpeakers({ config, rules: RULES, ruleSetFor })(asked)?.rule,
    mode: toolMode(config, asked),
  };
}

Deno.test("createPrompting reads a model raw once its server's parser failed, if the server can do that", () => {
  const { program } = compileRules(RULES);
  for (const [server, isRaw] of [["llama.cpp", true], ["tgi", false], ["none", false]] as const) {
    const config = testConfig(undefined, {
      upstreams: [{ name: "local", url: "http://x/v1", tools: "auto", server }],
    });
    const memory = new ToolMemory();
    const ruleSetFor = createRuleSets({ config, program });
    const promptingFor = createPrompting({
      config,
      speakers: createSpeakers({ config, rules: RULES, ruleSetFor }),
      ruleSetFor,
      memory,
      servers: new Servers(),
    });
    const [upstream] = config.upstreams;
    const prompting = promptingFor({ model: "m", upstream: upstream! })!;
    assert.deepEqual([prompting.isOn, prompting.raw], [false, undefined]);
    prompting.unparsed();
    assert.deepEqual([prompting.isOn, prompting.raw !== undefined], [false, isRaw], server);
    assert.equal(memory.entries().length, isRaw ? 1 : 0);
    const other = promptingFor({ model: "other", upstream: upstream! })!;
    assert.equal(other.raw, undefined);
  }
});

Deno.test("toolMode switches nothing off where a chat template writes the prompt", () => {
  assert.equal(dialectOf("m", { tools: "raw" }).mode, "raw");
  assert.equal(dialectOf("m", { tools: "raw", chat_template: "chat.jinja" }).mode, "native");
});
