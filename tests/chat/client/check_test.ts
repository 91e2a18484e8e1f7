import assert from "node:assert/strict";
import { checkClient } from "../../../src/chat/client/check.ts";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import { shippedClients } from "../../support/client_files.ts";

interface Case {
  readonly name: string;
  readonly client: Record<string, unknown>;
  readonly path: string;
  readonly message: string;
  readonly help?: string;
}

const tools = (parameters: unknown, more: Record<string, unknown> = {}) => ({
  tools: { look: { parameters, ...more } },
});

const CASES: readonly Case[] = [
  {
    name: "a sign that is no tool",
    client: { recognize: { any_tool: ["lok"] }, ...tools({}) },
    path: "recognize.any_tool.0",
    message: 'No tool "lok" is declared',
    help: "did you mean `look`?",
  },
  {
    name: "an alias of two tools",
    client: { tools: { a: { aliases: ["x"] }, b: { aliases: ["x"] } } },
    path: "tools.b.aliases.0",
    message: 'The name "x" already means a',
  },
  {
    name: "an alias that is another tool's name",
    client: { tools: { a: { aliases: ["b"] }, b: {} } },
    path: "tools.a.aliases.0",
    message: 'The name "b" already means b',
  },
  {
    name: "a placeholder that nothing declares",
    client: tools({ path: {} }, { write: "<look>{pth}</look>" }),
    path: "tools.look.write",
    message: 'The template names a parameter "pth" that is not declared',
    help: "did you mean `path`?",
  },
  {
    name: "a template without a required parameter",
    client: tools({ path: { required: true } }, { write: "<look/>" }),
    path: "tools.look.write",
    message: 'The template leaves out the required parameter "path"',
  },
  {
    name: "the template of an entry",
    client: tools({ list: { type: "list", each: { text: {} }, write: "<x>{txt}</x>" } }),
    path: "tools.look.parameters.list.write",
    message: 'The template names a parameter "txt" that is not declared',
    help: "did you mean `text`?",
  },
  {
    name: "a count of nothing",
    client: tools({ content: {}, count: { lines_of: "contnt" } }),
    path: "tools.look.parameters.count.lines_of",
    message: 'No parameter "contnt" is declared next to this one',
    help: "did you mean `content`?",
  },
  {
    name: "a condition on nothing",
    client: tools({ content: { raw_if: { parameter_ends_with: { file: [".xml"] } } } }),
    path: "tools.look.parameters.content.raw_if.parameter_ends_with.file",
    message: 'No parameter "file" is declared next to this one',
  },
  {
    name: "entities that the client does not decode",
    client: { entities: { guarded: ["&lt;"] }, ...tools({ content: { escape: "entities" } }) },
    path: "tools.look.parameters.content.escape",
    message: "Values are escaped with &amp;, but `entities.guarded` does not list it",
  },
  {
    name: "a list without entries",
    client: tools({ list: { type: "list" } }),
    path: "tools.look.parameters.list",
    message: "A list does not define its entries",
  },
  {
    name: "entries without a list",
    client: tools({ path: { each: { text: {} } } }),
    path: "tools.look.parameters.path.each",
    message: "`each` is set for a parameter that is not a list",
  },
  {
    name: "another form of a tool",
    client: tools({}, { forms: [{ if_documented: ["args"], parameters: {}, write: "{args}" }] }),
    path: "tools.look.forms.0.write",
    message: 'The template names a parameter "args" that is not declared',
  },
];

for (const { name, client, path, message, help } of CASES) {
  Deno.test(`checkClient finds ${name}`, () => {
    const problems = checkClient(clientSchema.parse({ client: "mine", writes: "text", ...client }));
    assert.deepEqual(
      problems.map((problem) => ({ path: problem.path.join("."), message: problem.message })),
      [{ path, message }],
    );
    if (help !== undefined) assert.equal(problems[0]?.help, help);
  });
}

Deno.test("checkClient finds nothing in the shipped clients", () => {
  for (const client of shippedClients()) assert.deepEqual(checkClient(client), []);
});
