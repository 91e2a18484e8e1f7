import assert from "node:assert/strict";
import { TemplateProbe } from "../../../src/analysis/derive/probe.ts";
import { ChatTemplate, readTemplates } from "../../../src/analysis/derive/template.ts";

Deno.test("readTemplates puts the template for tools first", () => {
  const config = { chat_template: [{ name: "default", template: "a" }, { name: "tool_use", template: "b" }] };
  assert.deepEqual(readTemplates(JSON.stringify(config)).map(({ text }) => text), ["b", "a"]);
  assert.deepEqual(readTemplates("{% if a %}{% endif %}").map(({ text }) => text), ["{% if a %}{% endif %}"]);
});

Deno.test("readTemplates reads the tokens that a template names", () => {
  const config = { chat_template: "{{ bos_token }}", bos_token: { content: "<B>" }, eos_token: "<E>" };
  const [source] = readTemplates(JSON.stringify(config));
  assert.deepEqual(source?.tokens, { bos_token: "<B>", eos_token: "<E>" });
});

Deno.test("ChatTemplate gives nothing where a template needs what the engine does not know", () => {
  const conversation = { messages: [], tools: undefined, asksForAnswer: false };
  assert.equal(new ChatTemplate("{{ 1 | no_such_filter }}").render(conversation), undefined);
});

Deno.test("ChatTemplate writes the time as Python does", () => {
  const render = (text: string) =>
    new ChatTemplate(text).render({
      messages: [],
      tools: undefined,
      asksForAnswer: false,
      date: new Date(2027, 1, 3, 14, 5, 9),
    });
  assert.equal(
    render("{{ strftime_now('%-d %B %y, %a %I:%M:%S %p %q') }}"),
    "3 February 27, Wed 02:05:09 PM %q",
  );
  assert.equal(render("{{ date_string }}"), "03 Feb 2027");
});

Deno.test("TemplateProbe sees a prompt that opens the reasoning, and what ends a turn", () => {
  const template = new ChatTemplate(
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}" +
      "{% for c in m.tool_calls or [] %}<go>{{ c.function | tojson }}</go>{% endfor %}<eot>{% endfor %}" +
      "{% if add_generation_prompt %}[assistant]<think>\n{% endif %}",
  );
  assert.deepEqual(TemplateProbe.open(template)?.facts(), { beginsInReasoning: true, turnEnd: "<eot>" });
});
