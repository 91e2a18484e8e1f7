import assert from "node:assert/strict";
import { ChatTemplate } from "../../../src/analysis/derive/template.ts";

const MESSAGES = [{
  role: "user",
  content: "ab",
  options: { name: "it's", depth: 2, isDeep: true, no: null },
}];

const RENDERED: readonly (readonly [template: string, text: string])[] = [
  ["{% set l = [1] %}{% set _ = l.append(2) %}{{ l | length }}", "2"],
  ["{% set l = [1, 2] %}{{ l.pop(0) }}{{ l[0] }}", "12"],
  ["{% set l = [1, 2] %}{{ l.pop() }}", "2"],
  ["{{ [3, 1, 2] | min }}{{ [3, 1, 2] | max }}", "13"],
  ["{{ messages[0].options | string }}", `{'name': "it's", 'depth': 2, 'isDeep': True, 'no': None}`],
  ["{{ 3 | string }}", "3"],
  ["{{ '%s and %d' | format('a', 2) }}", "a and 2"],
  ["{% for c in messages[0].content %}{{ c }}-{% endfor %}", "a-b-"],
  ["{% for c in messages[0].content %}{% if c['type'] == 'x' %}no{% endif %}{% endfor %}.", "."],
  ["{% for i in range(2, 0, -1) %}{{ i }}{% endfor %}{% for i in range(2) %}{{ i }}{% endfor %}", "2101"],
  ["{{ strftime_now('%A, %d %B %Y %H:%M') }}", "Thursday, 01 January 2026 00:00"],
];

for (const [template, text] of RENDERED) {
  Deno.test(`TemplateInterpreter runs ${template}`, () => {
    const conversation = { messages: MESSAGES, tools: undefined, asksForAnswer: false };
    assert.equal(new ChatTemplate(template).render(conversation), text);
  });
}

Deno.test("TemplateInterpreter stops at what no one knows", () => {
  const conversation = { messages: MESSAGES, tools: undefined, asksForAnswer: false };
  for (const template of ["{{ [1] | no_such_filter }}", "{% set l = [1] %}{{ l.no_such_method() }}"]) {
    assert.equal(new ChatTemplate(template).render(conversation), undefined);
  }
});
