import assert from "node:assert/strict";
import { join } from "node:path";
import { resolveConfig } from "../../src/proxy/config/resolve.ts";
import { readConfigFile } from "../../src/proxy/config/file.ts";
import { derive } from "../../src/cli/derive.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runVerb } from "../support/run_verb.ts";
import { functionTool } from "../support/chat_tools.ts";

const ANSWER = "Sure.\n@@invoke write_file\n@arg path = src/a.ts\n@arg content = let x = 1;\n@@end\n";
const TOOLS = [functionTool("write_file", { path: "string", content: "string" })];

const makeFolder = () => temporaryFolder({ "answer.txt": ANSWER, "tools.json": JSON.stringify(TOOLS) });

function run(workingDirectory: string, values: VerbInput["values"]) {
  return runVerb(derive, { values, workingDirectory });
}

Deno.test("derive writes a rule that says how to go on, and never overwrites a file", async () => {
  const folder = await makeFolder();
  const values = { answers: ["answer.txt"], tools: "tools.json", name: "mine" };
  const first = await run(folder, values);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Wrote rules\/mine\.yaml: \d+ examples pass/);
  assert.match(await Deno.readTextFile(join(folder, "rules/mine.yaml")), /^rule: mine$/m);
  assert.match(
    first.stdout,
    /^From this answer, the rule reads: write_file \{"path":"src\/a\.ts","content":"let x = 1;"\}$/m,
  );
  const second = await run(folder, values);
  assert.deepEqual([second.code, /`mine` already exists/.test(second.stderr)], [2, true]);
  await Deno.rename(join(folder, "rules"), join(folder, "aside"));
  const third = await run(folder, { ...values, output: "aside" });
  assert.equal(third.code, 1);
  assert.match(third.stderr, /mine\.yaml already exists/);
});

Deno.test("derive prints where it can't write, and how to go on", async () => {
  const folder = await makeFolder();
  const values = { answers: ["answer.txt"], tools: "tools.json", name: "mine", output: "answer.txt" };
  const { code, stderr } = await run(folder, values);
  assert.equal(code, 1);
  assert.match(stderr, /^error\[file_unwritable\]: Cannot write answer\.txt\/mine\.yaml: /);
  assert.match(stderr, /help: use a path in an existing folder/);
});

Deno.test("derive --json prints the calls that a rule reads, and writes no file", async () => {
  const folder = await makeFolder();
  const values = { answers: ["answer.txt"], tools: "tools.json", name: "mine", json: true };
  const { code, stdout } = await run(folder, values);
  assert.equal(code, 0);
  const [{ kind, reads, isQuoted }] = JSON.parse(stdout);
  assert.deepEqual({ kind, reads, isQuoted }, {
    kind: "rule",
    reads: [{ tool: "write_file", arguments: { path: "src/a.ts", content: "let x = 1;" } }],
    isQuoted: false,
  });
  await assert.rejects(Deno.stat(join(folder, "rules")));
});

Deno.test("derive says why there is no rule", async () => {
  const folder = await makeFolder();
  const { code, stderr } = await run(folder, { answers: ["tools.json"], name: "mine" });
  assert.equal(code, 1);
  assert.match(stderr, /^No rule: The offered tools are unknown.*Next: specify them with `--tools`/);
});

Deno.test("derive without anything to derive from is a wrong command line", async () => {
  const { code, stderr } = await run(".", {});
  assert.equal(code, 2);
  assert.match(stderr, /--answers FILE/);
});

const TEMPLATE = `{% for message in messages %}<|{{ message.role }}|>
{% if message.content %}{{ message.content }}{% endif %}{% for call in message.tool_calls or [] %}
<act:{{ call.function.name }}>{% for key, value in call.function.arguments.items() %}
<with {{ key }}>{{ value if value is string else value | tojson }}</with>{% endfor %}
</act>{% endfor %}<|stop|>
{% endfor %}{% if add_generation_prompt %}<|assistant|>
<think>
{% endif %}`;

Deno.test("derive prints what a template shows besides its calls, and writes no configuration", async () => {
  const folder = await makeFolder();
  await Deno.writeTextFile(join(folder, "model.jinja"), TEMPLATE);
  const context = createTestContext({ workingDirectory: folder });
  const input = { values: { name: "mine" }, positionals: ["model.jinja"] };
  assert.equal(await derive.run(input, context), 0, context.printed.stderr);
  const { stdout } = context.printed;
  const text = /For this model's upstream in dragoman\.yaml, which isn't changed:\n\n(# Settings[^]*?)\n\n/
    .exec(
      stdout,
    )?.[1];
  const { config, diagnostics } = resolveConfig({
    document: readConfigFile({ file: "dragoman.yaml", text: text ?? "" }),
    flags: {},
    readEnvironment: () => undefined,
  });
  assert.deepEqual(diagnostics, [], stdout);
  const [upstream] = config.upstreams;
  assert.deepEqual(
    [upstream?.name, upstream?.begins_in_reasoning, upstream?.defaults],
    ["mine", true, { stop: ["<|stop|>"] }],
  );
  assert.ok([...Deno.readDirSync(folder)].every(({ name }) => !name.startsWith("dragoman")));
  const own = "upstreams: []\n";
  await Deno.writeTextFile(join(folder, "dragoman.yaml"), own);
  const values = { name: "third", print: true, "ignore-known": true };
  assert.equal(await derive.run({ ...input, values }, context), 0, context.printed.stderr);
  assert.match(
    context.printed.stdout.slice(stdout.length),
    /isn't changed:\n\n# Settings[^]*begins_in_reasoning: true[^]*rule: third/,
  );
  assert.equal(await Deno.readTextFile(join(folder, "dragoman.yaml")), own);
  assert.ok([...Deno.readDirSync(join(folder, "rules"))].every(({ name }) => !name.startsWith("third")));
});

Deno.test("derive takes a file of --record, and refuses the name of a rule", async () => {
  const folder = await makeFolder();
  const record = { v: 1, client: "openai", tools: TOOLS, text: ANSWER };
  await Deno.writeTextFile(join(folder, "record.json"), JSON.stringify(record));
  const context = createTestContext({ workingDirectory: folder });
  const run = (name: string) =>
    derive.run({ values: { name, output: "new/rules" }, positionals: ["record.json"] }, context);
  assert.equal(await run("mine"), 0, context.printed.stderr);
  assert.match(await Deno.readTextFile(join(folder, "new/rules/mine.yaml")), /^rule: mine$/m);
  assert.equal(await run("hermes"), 2);
  assert.match(context.printed.stderr, /A rule named `hermes` already exists/);
});

Deno.test("derive states that a rule is off which reads the calls, or which nothing marks", async () => {
  const folder = await makeFolder();
  const text = '{"do": "write_file", "with": {"path": "a", "content": "b"}}';
  await Deno.writeTextFile(join(folder, "bare.json"), JSON.stringify({ text, tools: TOOLS }));
  const { code, stdout } = await run(folder, { answers: ["bare.json"], name: "mine" });
  assert.equal(code, 0);
  assert.match(stdout, /so the rule is off: turn it on with `rules\.enable: \[mine\]`/);
});

Deno.test("derive writes a template's other forms of calls as rules of their own", async () => {
  const folder = await makeFolder();
  const template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}" +
    '{% for c in m.tool_calls or [] %}<@do name="{{ c.function.name }}">' +
    '{% for k, v in c.function.arguments.items() %}<@in name="{{ k }}">{{ v }}</@in>{% endfor %}</@do>' +
    "{% endfor %}{% endfor %}";
  await Deno.writeTextFile(join(folder, "model.jinja"), template);
  const context = createTestContext({ workingDirectory: folder });
  assert.equal(await derive.run({ values: { name: "mine" }, positionals: ["model.jinja"] }, context), 0);
  const { stdout } = context.printed;
  const written = [...stdout.matchAll(/^Wrote rules\/(mine\w*)\.yaml/gm)].map(([, name]) => name);
  assert.deepEqual(written, ["mine", "mine_json", "mine_empty"], stdout);
  assert.equal(stdout.match(/^Next:/gm)?.length, 1);
  for (const name of written) {
    assert.match(
      await Deno.readTextFile(join(folder, "rules", `${name}.yaml`)),
      new RegExp(`^rule: ${name}$`, "m"),
    );
  }
});

Deno.test("derive turns a response template into a rule, and prints what isn't carried over", async () => {
  const folder = await makeFolder();
  const tool_calls = {
    open_pattern: "<~run:(?P<name>[\\w.-]+)~>",
    close: "<~done~>",
    repeats: true,
    content: "json",
    transform: { type: "function", function: { name: "{name}", arguments: "{content}" } },
  };
  const template = { start_anchor: "<|bot|>", fields: { tool_calls, plan: { open: "<plan>" } } };
  await Deno.writeTextFile(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ response_template: template }),
  );
  const { code, stdout, stderr } = await run(folder, {
    "response-template": "tokenizer_config.json",
    name: "mine",
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Wrote rules\/mine\.yaml: \d+ examples pass/m);
  assert.match(stdout, /^Not carried over: the fields plan/m);
  assert.match(await Deno.readTextFile(join(folder, "rules/mine.yaml")), /^pattern: <~run:\{tool\}~>/m);
});
