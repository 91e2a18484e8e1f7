import assert from "node:assert/strict";
import { loadFromDisk } from "../../support/plugins.ts";

const plugin = (fields: string) => `export default { onCall() {}, ${fields} };`;

async function told(config: string, files: Record<string, string> = {}): Promise<string[]> {
  const { diagnostics } = await loadFromDisk({ config, files });
  return diagnostics.map(({ code, message, location, help }) => {
    const place = location === undefined ? "" : ` at ${location.line}:${location.column}`;
    return `${code}${place}: ${message}${help?.startsWith("did you mean") ? ` (${help})` : ""}`;
  });
}

Deno.test("loadPlugins fills in defaults and takes options", async () => {
  const options = "{ one: { type: 'text', default: 'x' }, two: { type: 'number', default: 1 } }";
  const { plugins } = await loadFromDisk({
    config: "plugins: [{ use: ./a.ts, two: 2 }]",
    files: { "a.ts": plugin(`name: 'a', options: ${options}`) },
  });
  assert.deepEqual(plugins[0]?.options, { one: "x", two: 2 });
});

Deno.test("loadPlugins says what is wrong with an option, with its place", async () => {
  const options =
    "{ mode: { type: 'text', values: ['soft', 'hard'] }, count: { type: 'number', minimum: 1 } }";
  const config = "plugins:\n  - use: ./a.ts\n    mode: haard\n    cuont: 2\n    count: 0\n";
  assert.deepEqual(await told(config, { "a.ts": plugin(`name: 'a', options: ${options}`) }), [
    'unknown_field at 4:5: Plugin "a" has no option `cuont` (did you mean `count`?)',
    'wrong_value at 3:11: Option `mode` of plugin "a" has a value that is not allowed (did you mean `hard`?)',
    'wrong_value at 5:12: Option `count` of plugin "a" has a value that is not allowed',
  ]);
  assert.deepEqual(
    await told("plugins:\n  - use: ./a.ts\n    mode: [soft]\n", {
      "a.ts": plugin(`name: 'a', options: ${options}`),
    }),
    [
      'wrong_type at 3:11: Option `mode` of plugin "a" has the wrong type',
      'missing_field at 2:10: Plugin "a" needs the option `count`',
    ],
  );
});

Deno.test("loadPlugins draws a cycle and names what is missing", async () => {
  const files = {
    "a.ts": plugin("name: 'a', requires: ['b']"),
    "b.ts": plugin("name: 'b', requires: ['c']"),
    "c.ts": plugin("name: 'c', requires: ['a']"),
  };
  assert.deepEqual(await told("plugins: [./a.ts, ./b.ts, ./c.ts]", files), [
    "plugin_cycle at 1:11: These plugins require each other: a → b → c → a",
  ]);
  assert.deepEqual(await told("plugins: [./a.ts]", files), [
    'plugin_requires at 1:11: Plugin "a" requires "b", which is not in the configuration',
  ]);
});

const INVALID: readonly (readonly [string, string, RegExp])[] = [
  ["throws when it is loaded", "throw new Error('no');", /Cannot load plugin mine\.ts: no$/],
  ["has a syntax error", "export default {", /Cannot load plugin mine\.ts: /],
  ["exports nothing", "export const x = 1;", /has no plugin as its default export$/],
  ["has no name", "export default { onCall() {} };", /a plugin without a `name`/],
  [
    "has a name of other letters",
    "export default { name: 'A b', onCall() {} };",
    /a plugin without a `name`/,
  ],
  ["has no hook", "export default { name: 'a' };", /without any hook$/],
  [
    "misspells a hook",
    "export default { name: 'a', onCalls() {} };",
    /unknown field or hook `onCalls` \(did you mean `onCall`\?\)$/,
  ],
  [
    "has a hook that is none",
    "export default { name: 'a', onCall: 1 };",
    /a hook `onCall` that is not a function$/,
  ],
  [
    "has odd options",
    "export default { name: 'a', onCall() {}, options: { x: 1 } };",
    /`options` without a `type`/,
  ],
  ["requires no list", "export default { name: 'a', onCall() {}, requires: 'b' };", /not a list of names$/],
];

for (const [what, text, message] of INVALID) {
  Deno.test(`loadPlugins refuses a file that ${what}`, async () => {
    const [only, ...others] = await told("plugins: [./mine.ts]", { "mine.ts": text });
    assert.deepEqual(others, []);
    assert.match(only ?? "", /^plugin_invalid at 1:11: /);
    assert.match(only ?? "", message);
  });
}

Deno.test("loadPlugins refuses a file that is missing, a name that is unknown and a plugin that comes twice", async () => {
  assert.match((await told("plugins: [./no.ts]"))[0] ?? "", /plugin_invalid .*the file does not exist$/);
  assert.match(
    (await told("plugins: [nothing]"))[0] ?? "",
    /unknown_plugin .*Unknown built-in plugin "nothing"/,
  );
  const files = { "a.ts": plugin("name: 'a'"), "b.ts": plugin("name: 'a'") };
  assert.deepEqual(await told("plugins: [./a.ts, ./b.ts]", files), [
    'plugin_invalid at 1:19: Two plugins are named "a"',
  ]);
});
