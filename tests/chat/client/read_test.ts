import assert from "node:assert/strict";
import { readClients } from "../../../src/chat/client/read.ts";

const text = (name: string, more = "") => ({
  file: `clients/${name}.yaml`,
  text: `client: ${name}\nwrites: text\n${more}`,
});

Deno.test("readClients sorts by precedence, then by name", () => {
  const { clients, diagnostics } = readClients([[
    text("b"),
    text("a"),
    text("late", "recognize: { order: 200 }\n"),
    text("first", "recognize: { order: 0 }\n"),
  ]]);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(clients.map(({ client }) => client), ["first", "a", "b", "late"]);
});

Deno.test("readClients reports every mistake with its place", () => {
  const { clients, diagnostics } = readClients([[
    text("a", "tools:\n  look:\n    parameters: { path: {} }\n    write: '<look>{pth}</look>'\n"),
    { file: "clients/b.yaml", text: "client: b\nwrites: txt\n" },
    { file: "clients/other.yaml", text: "client: c\nwrites: text\n" },
    { file: "clients/more.yaml", text: "client: a\nwrites: text\n" },
  ]]);
  assert.deepEqual(clients.map(({ client }) => client), ["a", "c"]);
  const found = diagnostics.map((
    { code, location },
  ) => [code, location?.file, location?.line, location?.column]);
  assert.deepEqual(found, [
    ["wrong_value", "clients/a.yaml", 6, 19],
    ["wrong_value", "clients/b.yaml", 2, 9],
    ["client_name", "clients/other.yaml", 1, 9],
    ["duplicate_client", "clients/more.yaml", 1, 9],
  ]);
  assert.equal(diagnostics[0]?.help, "did you mean `path`?");
});
