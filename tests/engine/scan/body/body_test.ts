import assert from "node:assert/strict";
import { createBody } from "../../../../src/engine/scan/body/body.ts";
import type { Calls } from "../../../../src/engine/scan/calls.ts";
import { eventsOf, programOf, told } from "../../../support/matcher_events.ts";

const kinds: [body: string, text: string, fields: Record<string, unknown>][] = [
  ["text", "1", { parameters: { a: "$body" } }],
  ["json", '{"a":"1"}', {}],
  ["envelope", '{"name":"f","arguments":{"a":"1"}}', {}],
  ["tagged", "<a>1</a>", { item: "<(?<key>\\w+)>(?<value>…)</\\k<key>>" }],
  ["yaml", "a: 1", {}],
];

for (const [body, text, fields] of kinds) {
  Deno.test(`createBody creates the kind ${body}`, () => {
    const pattern = body === "envelope" ? "<c>(?<body>…)</c>" : "<c {tool}>(?<body>…)</c>";
    const opener = body === "envelope" ? "<c>" : "<c f>";
    const program = programOf({ rule: "r", pattern, body, ...fields });
    assert.deepEqual(told(eventsOf([`${opener}${text}</c>`], { program })), [
      'f {"a":"1"}',
      "note transformed",
    ]);
  });
}

Deno.test("createBody refuses a region, because it contains no call", () => {
  const program = programOf({ rule: "r", pattern: "<a>(?<body>…)</a>", body: "group" });
  const calls = { groups: {} } as Calls;
  assert.throws(() => createBody(calls, { rule: program.rules[0]!, program }), /group body contains no call/);
});
