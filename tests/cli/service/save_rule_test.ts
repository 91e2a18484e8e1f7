import assert from "node:assert/strict";
import { join } from "node:path";
import { newRuleText } from "../../../src/engine/rule/new_rule.ts";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { saveRule, whyNotSaved } from "../../../src/cli/service/save_rule.ts";
import { loadSetup } from "../../../src/cli/service/setup.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { createTestContext } from "../../support/context.ts";

const RULE = newRuleText("mine");

/** Where the configuration of a proxy is, and its folder of rules. */
const CONFIG = JSON.stringify({ path: "/tmp/dragoman.yaml", ruleFolders: [{ path: "/tmp/rules" }] });

/** Saves a rule in a fresh folder that has some files. */
async function save(text: string, prepare: (folder: string) => Promise<void> = () => Promise.resolve()) {
  const workingDirectory = await Deno.realPath(await temporaryFolder());
  await Deno.mkdir(join(workingDirectory, "rules"));
  await prepare(workingDirectory);
  const context = createTestContext({ workingDirectory });
  const result = await saveRule(text, { setup: await loadSetup({}, context), context });
  const folder = join(workingDirectory, "rules");
  const files: Record<string, string> = {};
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile) files[name] = await Deno.readTextFile(join(folder, name));
  }
  return { result, files };
}

const write = (name: string, text: string) => (folder: string) =>
  Deno.writeTextFile(join(folder, "rules", name), text);

Deno.test("saveRule writes a rule that passes the check into the user's folder, and nothing else", async () => {
  const { result, files } = await save(RULE.trimEnd());
  assert.deepEqual(result, { isSaved: true, file: "rules/mine.yaml", exampleCount: 2, diagnostics: [] });
  assert.deepEqual(files, { "mine.yaml": RULE });
});

Deno.test("saveRule writes over the same rule", async () => {
  const { result, files } = await save(RULE, write("mine.yaml", RULE.replace("0.95", "0.91")));
  assert.deepEqual([result.isSaved, files], [true, { "mine.yaml": RULE }]);
});

Deno.test("saveRule refuses a text without a name that a file can have", async () => {
  for (
    const name of [
      "",
      "rule: ../x\n",
      "rule: Mine\n",
      "rule: a/b\n",
      "rule: con.yaml\n",
      `rule: ${"a".repeat(101)}\n`,
    ]
  ) {
    const { result, files } = await save(RULE.replace("rule: mine\n", name));
    assert.deepEqual([!result.isSaved && result.status, files], [400, {}], name);
  }
});

Deno.test("saveRule refuses a rule with an error and shows it with its line", async () => {
  const { result, files } = await save(RULE.replace("body: json", "bdy: json"));
  assert.ok(!result.isSaved);
  assert.deepEqual([result.status, result.message], [422, "The rule has an error"]);
  assert.deepEqual(result.diagnostics.map(({ code, line }) => [code, line]), [["unknown_field", 4]]);
  assert.deepEqual(files, {});
});

Deno.test("saveRule refuses a rule whose examples fail", async () => {
  const { result, files } = await save(RULE.replace("path: a.txt } }]", "path: b.txt } }]"));
  assert.ok(!result.isSaved);
  assert.deepEqual([result.status, result.diagnostics.map(({ code }) => code)], [422, ["example_failed"]]);
  assert.deepEqual(files, {});
});

Deno.test("saveRule refuses examples that would keep the server busy", async () => {
  const { result } = await save(RULE.replace("I'll read it.\n      <", `${"x".repeat(5000)}\n      <`));
  assert.ok(!result.isSaved);
  assert.equal(
    result.diagnostics[0]?.message,
    'Example "one call after a sentence" is longer than 4096 characters',
  );
});

Deno.test("saveRule does not write over a file that contains another rule, or anything else", async () => {
  for (const text of [newRuleText("other"), "not a rule"]) {
    const { result, files } = await save(RULE, write("mine.yaml", text));
    assert.ok(!result.isSaved);
    assert.deepEqual([result.status, result.message], [409, "rules/mine.yaml contains something else"]);
    assert.deepEqual(files, { "mine.yaml": text });
  }
});

Deno.test("saveRule refuses a rule that another file of the user defines, and names the file", async () => {
  const inLaterFolder = async (folder: string) => {
    await Deno.mkdir(join(folder, "more"));
    await Deno.writeTextFile(join(folder, "more", "a.yaml"), RULE);
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), "rules: { folders: [rules, more] }\n");
  };
  for (
    const [file, prepare] of [["rules/a.yml", write("a.yml", RULE)], ["more/a.yaml", inLaterFolder]] as const
  ) {
    const { result, files } = await save(RULE, prepare);
    assert.ok(!result.isSaved);
    assert.deepEqual([result.status, result.message], [409, `${file} has a rule with this name, too`]);
    assert.equal(files["mine.yaml"], undefined);
  }
});

Deno.test("saveRule checks a rule among those of every folder", async () => {
  const { result } = await save(RULE, async (folder) => {
    await Deno.mkdir(join(folder, "more"));
    await Deno.writeTextFile(join(folder, "more", "a.yaml"), RULE.replace("rule: mine", "rule: other"));
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), "rules: { folders: [rules, more] }\n");
  });
  assert.deepEqual([result.isSaved, result.diagnostics.map(({ code }) => code)], [true, ["rules_overlap"]]);
});

Deno.test("saveRule refuses a rule that does not read what it speaks, as `check` does", async () => {
  const speak = [
    "speak:",
    "  announce: '{tools}'",
    "  call: '<your {name}>{arguments}</your>'",
    "  result: '{content}'",
    "examples:",
  ];
  const { result, files } = await save(RULE.replace("examples:", speak.join("\n")));
  assert.ok(!result.isSaved);
  assert.deepEqual(result.diagnostics.map(({ code }) => code), ["speak_unread"]);
  assert.deepEqual(files, {});
});

Deno.test("saveRule does not write through a link that leads out of the folder", async () => {
  const elsewhere = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(elsewhere, RULE);
  const { result } = await save(
    RULE.replace("0.95", "0.92"),
    (folder) => Deno.symlink(elsewhere, join(folder, "rules", "mine.yaml")),
  );
  assert.ok(!result.isSaved);
  assert.equal(result.status, 403);
  assert.equal(await Deno.readTextFile(elsewhere), RULE);
  await Deno.remove(elsewhere);
});

Deno.test("saveRule never writes into the folder of the shipped rules", async () => {
  const { result } = await save(
    RULE,
    (folder) =>
      Deno.writeTextFile(
        join(folder, "dragoman.yaml"),
        `rules: { folders: [${JSON.stringify(BUILT_IN_RULES)}] }\n`,
      ),
  );
  assert.ok(!result.isSaved);
  assert.deepEqual([result.status, result.message], [
    403,
    "Shipped rules can't be changed",
  ]);
});

Deno.test("saveRule saves nothing where the proxy would not read it", async () => {
  const { result, files } = await save(
    RULE,
    (folder) => Deno.writeTextFile(join(folder, "dragoman.yaml"), "rules: { folders: [] }\n"),
  );
  assert.ok(!result.isSaved);
  assert.deepEqual([result.status, result.message, files], [
    403,
    "The proxy has no folder for your own rules",
    {},
  ]);
});

Deno.test("whyNotSaved names the permission that is missing, and what to do", async () => {
  const program = `
    import { whyNotSaved } from ${
    JSON.stringify(import.meta.resolve("../../../src/cli/service/save_rule.ts"))
  };
    console.log(JSON.stringify(await whyNotSaved(${CONFIG}, { workingDirectory: "/tmp" })));`;
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--allow-read",
      "--allow-env",
      "--config",
      "tests/deno.json",
      "--ext=ts",
      "-",
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = command.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  const { stdout, stderr } = await command.output();
  const text = new TextDecoder().decode(stdout);
  assert.notEqual(text, "", new TextDecoder().decode(stderr));
  assert.deepEqual(JSON.parse(text), {
    message: "This proxy has no permission to write to rules",
    help: "copy the YAML into rules; a server may write the folder `my_rules` next to its configuration",
  });
  const config = JSON.parse(CONFIG);
  assert.equal(await whyNotSaved(config, createTestContext({ workingDirectory: "/tmp" })), undefined);
});
