import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { hear } from "../support/chunks.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { PROMPT_MARKS, PROSE_MARKS } from "../support/reasoning_marks.ts";
import { executeCline, parseCline } from "../support/cline_parser.ts";
import { executeRoo, parseRoo } from "../support/roo_parser.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";

const SYSTEM = `You are Roo, a coding agent.

====

# Tools

## read_file
Description: Reads files.
Parameters:
- path: (required) The file
Usage:
<read_file>
<path>File path here</path>
</read_file>

## switch_mode
Description: Switches the mode.
Parameters:
- mode_slug: (required) The mode

# Tool Use Guidelines
`;

const CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>src/a.ts</parameter>\n</function>\n</tool_call>";
const EXPECTED = /<read_file>\n<path>src\/a\.ts<\/path>\n<\/read_file>/;

function ask(origin: string, stream: boolean): Promise<Response> {
  const messages = [{ role: "system", content: SYSTEM }, { role: "user", content: "Read it" }];
  const headers = { "user-agent": "RooCode/3.30.0" };
  return askChat(origin, { headers, body: { messages, stream, tools: undefined } });
}

Deno.test("an XML client gets one call as XML, streamed, and the upstream is stopped after it", async () => {
  await using upstream = startUpstream({
    text: `I'll read it.\n\n${CALL}\n\nAnd on and on. `,
    isEndless: true,
  });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const answer = hear(await (await ask(proxy.origin, true)).text());
  await upstream.requests[0]?.left;
  const [choice] = answer.choices;
  assert.match(choice?.content ?? "", EXPECTED);
  assert.match(choice?.content ?? "", /^I'll read it\./);
  assert.doesNotMatch(choice?.content ?? "", /And on/);
  assert.deepEqual([choice?.finishReasons, answer.isDone], [["stop"], true]);
});

Deno.test("an XML client gets the same call in a whole answer", async () => {
  await using upstream = startUpstream({ text: `I'll read it.\n\n${CALL}` });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const answer = await (await ask(proxy.origin, false)).json();
  assert.match(answer.choices[0].message.content, EXPECTED);
  assert.equal(answer.choices[0].finish_reason, "stop");
});

Deno.test("an XML client gets a call that can be executed from the sample model", async () => {
  await using proxy = await startProxy(await builtInService(testConfig()));
  const response = await ask(proxy.origin, true);
  assert.equal(response.headers.get("x-dragoman-sample"), "true");
  assert.match(hear(await response.text()).choices[0]?.content ?? "", /<path>README\.md<\/path>/);
});

Deno.test("Roo and Cline get thoughts in the text with their marks, as the model printed them", async () => {
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  for (
    const [agent, system] of [["RooCode/3.30.0", rooPrompt({ hasArgs: true, hasLineCount: false })], [
      "Cline/3.38.0",
      CLINE_PROMPT,
    ]] as const
  ) {
    for (const [opener, closer] of [...PROMPT_MARKS, ...PROSE_MARKS]) {
      for (const before of [opener, ""]) {
        const text = `${before}\nI look.\n${closer}\n\nIt is 4.`;
        script = { text };
        const messages = [{ role: "system", content: system }, { role: "user", content: "Add" }];
        const body = { messages, tools: undefined };
        const headers = { "user-agent": agent, "x-dragoman-begins-in-reasoning": String(before === "") };
        const streamed = await askChat(proxy.origin, { headers, body: { ...body, stream: true } });
        assert.equal(hear(await streamed.text()).choices[0]?.content, text, agent);
        const whole = await askChat(proxy.origin, { headers, body: { ...body, stream: false } });
        const [{ message }] = (await whole.json()).choices;
        assert.deepEqual([message.content, message.reasoning_content], [text, undefined], agent);
      }
    }
  }
});

/** A command as a model printed it → what Roo and Cline run of it, in their own dialect and in others. */
const ESCAPED = ["npm test 2&gt;&1", "npm test 2>&1"] as const;
const IN_QUOTES = "grep '&gt;' a.html";

Deno.test("Roo and Cline run a command whose entities no shell can mean as the model meant it", async () => {
  const DIALECTS = {
    own: (command: string) =>
      `<execute_command>\n<command>${command}</command>\n<requires_approval>false</requires_approval>\n</execute_command>`,
    tags: (command: string) =>
      `<tool_call>\n<function=execute_command>\n<parameter=command>\n${command}\n</parameter>\n</function>\n</tool_call>`,
    elements: (command: string) =>
      `<invoke name="execute_command">\n<parameter name="command">${command}</parameter>\n</invoke>`,
  };
  const CLIENTS = [
    {
      agent: "RooCode/3.30.0",
      system: rooPrompt({ hasArgs: true, hasLineCount: false }),
      run: (text: string) => parseRoo(text).map((block) => executeRoo(block, "m")),
    },
    {
      agent: "Cline/3.38.0",
      system: CLINE_PROMPT,
      run: (text: string) => parseCline(text).map((block) => executeCline(block, "m")),
    },
  ];
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  for (const { agent, system, run } of CLIENTS) {
    for (const [dialect, print] of Object.entries(DIALECTS)) {
      // Roo decodes every command of its own dialect itself.
      const decodesQuotes = dialect === "own" && agent.startsWith("Roo");
      const quoted: [string, string] = [IN_QUOTES, decodesQuotes ? "grep '>' a.html" : IN_QUOTES];
      for (const [printed, expected] of [ESCAPED, quoted]) {
        script = { text: print(printed) };
        for (const stream of [true, false]) {
          const messages = [{ role: "system", content: system }, { role: "user", content: "Test it" }];
          const response = await askChat(proxy.origin, {
            headers: { "user-agent": agent },
            body: { messages, stream, tools: undefined },
          });
          const content = stream
            ? hear(await response.text()).choices[0]?.content
            : (await response.json()).choices[0].message.content;
          const commands = run(content ?? "").map(({ effective }) => effective["command"]);
          assert.deepEqual(commands, [expected], `${agent} ${dialect} ${printed}: ${content}`);
        }
      }
    }
  }
});
