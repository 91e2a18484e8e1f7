import assert from "node:assert/strict";
import { join } from "node:path";
import { loadSetup } from "../../../src/cli/service/setup.ts";
import { createTestContext } from "../../support/context.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

async function load(files: Readonly<Record<string, string>>, template: string, tools = "prompted") {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(workingDirectory, name), text);
  }
  const config =
    `upstreams: [{ name: local, url: "http://x/v1", tools: ${tools}, chat_template: ${template} }]`;
  await Deno.writeTextFile(join(workingDirectory, "dragoman.yaml"), config);
  const { templates, diagnostics } = await loadSetup({}, createTestContext({ workingDirectory }));
  return { templates: templates.templates, codes: diagnostics.map(({ code }) => code) };
}

const TEXT =
  "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}" +
  "{{ strftime_now('%Y-%m-%d %b %p') }}";
const conversation = {
  messages: [{ role: "user", content: "hi" }],
  tools: undefined,
  asksForAnswer: true,
  date: new Date(2027, 1, 3, 14),
};

Deno.test("loadTemplates reads a template and the tokens of a tokenizer_config.json", async () => {
  const { templates, codes } = await load({ "chat.jinja": TEXT }, "chat.jinja");
  assert.deepEqual(codes, []);
  assert.equal(templates.get("local")?.render(conversation), "<user>hi</s>2027-02-03 Feb PM");
  const json = JSON.stringify({ chat_template: TEXT, eos_token: "<|end|>", bos_token: "<|begin|>" });
  const other = await load({ "tokenizer_config.json": json }, "tokenizer_config.json");
  assert.equal(other.templates.get("local")?.render(conversation), "<user>hi<|end|>2027-02-03 Feb PM");
});

Deno.test("loadTemplates finds files that are no templates", async () => {
  assert.deepEqual((await load({}, "absent.jinja")).codes, ["file_unreadable"]);
  assert.deepEqual((await load({ "bad.jinja": "{% if %}" }, "bad.jinja")).codes, ["template_unreadable"]);
  assert.deepEqual((await load({ "a.json": '{"eos_token": "x"}' }, "a.json")).codes, ["template_unreadable"]);
});

Deno.test("loadTemplates warns of a template that can't be run, or loses tools", async () => {
  const warningsOf = async (text: string, tools?: string) =>
    (await load({ "chat.jinja": text }, "chat.jinja", tools)).codes.length;
  assert.equal(await warningsOf("{% for tool in tools %}{{ tool.function.name }}{% endfor %}", "native"), 0);
  assert.equal(await warningsOf("{% if tools %}{{ 1 | no_such_filter }}{% endif %}", "native"), 1);
  assert.equal(await warningsOf(TEXT, "native"), 1);
  assert.equal(await warningsOf(TEXT, "prompted"), 0);
  assert.equal(await warningsOf("{{ messages | no_such_filter }}", "prompted"), 1);
});
