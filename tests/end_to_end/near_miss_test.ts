/**
 * A dialect that no rule reads, from its first answer to a rule in use: the line that `serve --record` prints names the
 * command, the command writes the rule, and the next answer has a call.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { startProgram } from "../support/program.ts";
import { PROGRAM } from "../support/program_file.ts";
import { SMALL_ROO_PROMPT } from "../support/prompts.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { readPrometheus } from "../support/prometheus.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";
import { functionTool } from "../support/chat_tools.ts";

const TOOLS = [
  functionTool("write_file", { path: "string", content: "string" }, { required: ["path", "content"] }),
];

/** Where the transcript is: the first one after a heading of a page. */
interface Transcribed {
  readonly page: string;
  readonly heading: string;
}

/** Invented dialects, each in two answers: one to learn from, one that the rule has to read. */
const DIALECTS: readonly (Transcribed & { name: string; learn: string; other: string; path: string })[] = [
  {
    name: "delimiters at the start of lines",
    page: "rules/writing_rules.md",
    heading: "### Delimiters at the start of lines",
    learn: "I will write it.\n@@invoke write_file\n@arg path = src/a.ts\n@arg content = let x = 1;\n@@end\n",
    other: "@@invoke write_file\n@arg path = b.md\n@arg content = Hello\n@@end\n",
    path: "b.md",
  },
  {
    name: "double angle brackets",
    page: "rules/writing_rules.md",
    heading: "### Double angle brackets",
    learn:
      "Sure.\n<<TOOL:write_file>>\n<<ARG path>>src/a.ts<</ARG>>\n<<ARG content>>\nlet x;\nlet y;\n<</ARG>>\n<</TOOL>>\n",
    other: "<<TOOL:write_file>>\n<<ARG path>>b.md<</ARG>>\n<<ARG content>>\nHello\n<</ARG>>\n<</TOOL>>\n",
    path: "b.md",
  },
  {
    name: "a JSON envelope with different keys",
    page: "rules/writing_rules.md",
    heading: "### A JSON envelope with different keys",
    learn: 'Okay.\n{%tool%}{"do": "write_file", "with": {"path": "src/a.ts", "content": "x"}}{%endtool%}\n',
    other: '{%tool%}{"do": "write_file", "with": {"path": "b.md", "content": "y"}}{%endtool%}',
    path: "b.md",
  },
];

interface Ask {
  readonly stream?: boolean;
  readonly path?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(origin: string, { stream = true, path = "/v1", body }: Ask): Promise<string> {
  const response = await askChat(origin, {
    path: `${path}/chat/completions`,
    body: { model: "New-Model 7B", stream, tools: undefined, ...body },
  });
  return await response.text();
}

/** Runs a command as it was printed; only its launcher is replaced, because the machine may not have npm. */
async function runPrinted(command: string, folder: string): Promise<string> {
  const launcher = ` run -A ${PROGRAM}`;
  const at = command.indexOf(`${launcher} `) + launcher.length;
  assert.ok(at > launcher.length, command);
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", `"$DENO" run -A "$MAIN"${command.slice(at)}`],
    cwd: folder,
    env: { DENO: Deno.execPath(), MAIN: PROGRAM },
  }).output();
  const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, printed);
  return printed;
}

/** What a person sees, without what differs from run to run. */
function transcript({ learn, near, derived, check, used }: Readonly<Record<Step, string>>): string {
  const lines = [
    "$ dragoman serve --upstream http://127.0.0.1:8080/v1 --record captures --verbose",
    near,
    "$ jq -r .text captures/*.json",
    learn.trimEnd(),
    `$ ${near.slice(near.lastIndexOf("\n") + 1).trim()}`,
    derived.trimEnd(),
    `$ ${/`(.* check .*)`/.exec(derived)?.[1]}`,
    check.trimEnd(),
    "",
    "# The proxy reloads the rule and converts the next answer:",
    used,
  ];
  return lines.join("\n").replace(/(?:npx -y )?[^\s`]*deno[^\s`]* run -A [^\s`]+main\.m?[jt]s/g, "dragoman")
    .replace(/; \d+ rules on/g, "")
    .replace(/\d\d:\d\d:\d\d/g, "09:05:07")
    .replace(/captures\/\d[^ ]*\.json/g, "captures/2026-05-01T09-05-07.000Z_0123abcd.json");
}

type Step = "learn" | "near" | "derived" | "check" | "used";

/** Checks the transcript on the page; with DRAGOMAN_WRITE_PAGES, writes it. */
async function checkPage({ page: path, heading }: Transcribed, text: string): Promise<void> {
  const url = new URL(`../../${path}`, import.meta.url);
  const page = await Deno.readTextFile(url);
  const block = `\`\`\`console\n${text}\n\`\`\``;
  const begin = page.indexOf(`${heading}\n`);
  const at = page.indexOf("```console\n", begin);
  assert.ok(begin >= 0 && at >= 0, `${path} has no part ${heading}`);
  const end = page.indexOf("\n```", at + 1) + 4;
  if (Deno.env.get("DRAGOMAN_WRITE_PAGES") !== undefined) {
    await Deno.writeTextFile(url, page.slice(0, at) + block + page.slice(end));
  } else assert.equal(page.slice(at, end), block, "DRAGOMAN_WRITE_PAGES=1 writes the page again");
}

async function nearMissesOf(origin: string): Promise<number> {
  const page = await (await fetch(`${origin}/metrics`)).text();
  return readPrometheus(page).filter(({ name }) => name === "dragoman_near_misses_total")
    .reduce((sum, { value }) => sum + value, 0);
}

/** A proxy in a new folder that records the answers of a model. */
async function recording(
  test: (about: {
    folder: string;
    origin: string;
    program: ReturnType<typeof startProgram>;
    say: (text: string) => void;
  }) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  let text = "";
  await using upstream = startUpstream(() => ({ text }));
  const args = ["serve", "--port", "0", "--upstream", upstream.url, "--record", "captures", "--verbose"];
  await using program = startProgram(folder, args, [`--allow-write=${folder}`]);
  const origin = (await program.until(/http:\S+\/v1(?=\n)/)).replace(/\/v1$/, "");
  await test({ folder, origin, program, say: (next) => void (text = next) });
}

const COMMAND = /near_miss: .*\n +(\S.* derive captures\/.*)\n/;

for (const [index, { name, learn, other, path, ...where }] of DIALECTS.entries()) {
  const title = `serve prints the command that learns ${name}, and the next answer has a call`;
  // Each starts three processes; a short run starts those of the README's transcript.
  Deno.test(
    { name: title, ignore: index > 0 && !IS_THOROUGH },
    () =>
      recording(async ({ folder, origin, program, say }) => {
        say(learn);
        const stream = index !== 1;
        assert.ok(!(await ask(origin, { stream, body: { tools: TOOLS } })).includes("tool_calls"));
        const command = await program.until(COMMAND);
        assert.match(command, / --name new_model_7b --output rules$/);
        assert.equal(await nearMissesOf(origin), 1);

        const derived = await runPrinted(command, folder);
        assert.match(derived, /Wrote rules\/new_model_7b\.yaml: \d+ examples pass/);
        const check = await runPrinted(/`(.* check .*)`/.exec(derived)![1]!, folder);
        const reloaded = await program.until(/.*Reloaded: rule new_model_7b added.*/);
        say(other);
        const answer = await ask(origin, { stream: false, body: { tools: TOOLS } });
        const [call] = JSON.parse(answer).choices[0].message.tool_calls;
        assert.equal(call.function.name, "write_file");
        assert.equal(JSON.parse(call.function.arguments).path, path);
        assert.equal(await nearMissesOf(origin), 1);

        const near = await program.until(/(.*near_miss: .*\n.*)\n/);
        const decided = await program.until(/.* new_model_7b .* transformed/);
        await checkPage(where, transcript({ learn, near, derived, check, used: `${reloaded}\n${decided}` }));
      }),
  );
}

const READS_TEXT = "serve learns a dialect from the answer to a client that reads calls in the text";

Deno.test(
  { name: READS_TEXT, ignore: !IS_THOROUGH },
  () =>
    recording(async ({ folder, origin, program, say }) => {
      const body = {
        messages: [{ role: "system", content: SMALL_ROO_PROMPT }, { role: "user", content: "hi" }],
      };
      say("@@invoke read_file\n@arg path = src/a.ts\n@@end\n");
      await ask(origin, { path: "/roo/v1", body });
      await runPrinted(await program.until(COMMAND), folder);
      await program.until(/Reloaded: rule new_model_7b added/);
      say("@@invoke read_file\n@arg path = b.md\n@@end\n");
      const answer = await ask(origin, { path: "/roo/v1", stream: false, body });
      assert.match(JSON.parse(answer).choices[0].message.content, /<path>b\.md<\/path>/);
    }),
);

Deno.test("serve prints nothing about prose, quotations and data that was asked for", () =>
  recording(async ({ origin, program, say }) => {
    const answers = [
      "You can use write_file with a path and the content.",
      'Like this:\n\n```\n@@invoke write_file\n@arg path = "a"\n@@end\n```\n\nThat is all.',
      '{"files": [{"tool": "write_file", "given": {"path": "a"}}]}',
    ];
    for (const text of answers) {
      say(text);
      await ask(origin, { body: { tools: TOOLS } });
    }
    assert.equal(await nearMissesOf(origin), 0);
    say("@@invoke write_file\n@arg path = a\n@@end\n");
    await ask(origin, { body: { tools: TOOLS } });
    await program.until(COMMAND);
  }));
