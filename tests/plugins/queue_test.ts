import assert from "node:assert/strict";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { MemoryStore } from "../../src/proxy/store/store.ts";
import { hear } from "../support/chunks.ts";
import { pluginService } from "../support/plugins.ts";
import { rooPrompt } from "../support/prompts.ts";
import { type RunningProxy, startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const SYSTEM = { role: "system", content: rooPrompt({ hasArgs: false, hasLineCount: false }) };

const GROUP = `I read three.
<multi_tool_use mode="sequential">
<read_file><path>a</path><toolId>1</toolId></read_file>
<tool_call>{"name": "read_file", "arguments": {"path": "b"}}</tool_call>
<read_file><path>c</path></read_file>
</multi_tool_use>`;

type Message = { role: string; content: unknown; [field: string]: unknown };

/** A conversation as Roo Code has it: it executes the one call of an answer and says the result. */
class RooConversation {
  readonly messages: Message[] = [SYSTEM, { role: "user", content: "<task>\nRead\n</task>" }];
  readonly executed: string[] = [];
  readonly #proxy: RunningProxy;

  constructor(proxy: RunningProxy) {
    this.#proxy = proxy;
  }

  async ask(): Promise<string> {
    const response = await fetch(`${this.#proxy.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { "user-agent": "RooCode/3.30.0" },
      body: JSON.stringify({ model: "m", stream: true, messages: this.messages }),
    });
    const content = hear(await response.text()).choices[0]?.content ?? "";
    this.messages.push({ role: "assistant", content });
    for (const [, path] of content.matchAll(/<read_file>\n<path>(.*?)<\/path>/g)) {
      this.executed.push(path ?? "");
    }
    return content;
  }

  say(result: string): void {
    const label = `[read_file for '${this.executed.at(-1)}'] Result:`;
    const parts = [label, result, "<environment_details>\nx\n</environment_details>"];
    this.messages.push({ role: "user", content: parts.map((text) => ({ type: "text", text })) });
  }
}

async function converse(
  steps: (conversation: RooConversation, clock: { now: number }) => Promise<void>,
  answer = GROUP,
): Promise<{ asked: number; executed: string[]; notes: string[]; all: string[] }> {
  const texts = [answer, "All done."];
  await using upstream = startUpstream(() => ({ text: texts.shift() ?? "Nothing." }));
  const clock = { now: 0 };
  const notes: string[] = [];
  const service = await pluginService(upstream.url, {
    config: "plugins: [dependency_chain]",
    store: new MemoryStore({ now: () => clock.now }),
  });
  const all: string[] = [];
  const observe = (event: ContentEvent) => {
    if (event.kind !== "note") return;
    if (event.rule === "dependency_chain") notes.push(event.detail ?? "");
    all.push(`${event.rule} ${event.detail}`);
  };
  await using proxy = await startProxy(service, { observe });
  const conversation = new RooConversation(proxy);
  await steps(conversation, clock);
  return { asked: upstream.requests.length, executed: conversation.executed, notes, all };
}

Deno.test("three queued calls of a Roo conversation reach the model once", async () => {
  const { asked, executed } = await converse(async (conversation) => {
    assert.match(
      await conversation.ask(),
      /^I read three\.\n+<read_file>\n<path>a<\/path>\n<\/read_file>\s*$/,
    );
    conversation.say("1 | a");
    assert.match(await conversation.ask(), /^\s*<read_file>\n<path>b<\/path>\n<\/read_file>\s*$/);
    conversation.say("1 | b");
    await conversation.ask();
  });
  assert.deepEqual([asked, executed], [1, ["a", "b", "c"]]);
});

const OWN = (path: string) => `<read_file>\n<path>${path}</path>\n</read_file>`;
const QWEN = (path: string) =>
  `<tool_call>\n<function=read_file>\n<parameter=path>${path}</parameter>\n</function>\n</tool_call>`;
const HERMES = (path: string) =>
  `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
const FENCED = (path: string) =>
  `\`\`\`json\n{"name": "read_file", "arguments": {"path": "${path}"}}\n\`\`\``;

for (const [dialect, write] of Object.entries({ own: OWN, qwen: QWEN, hermes: HERMES, fenced: FENCED })) {
  Deno.test(`plain calls in a row are queued as those of a wrapper: ${dialect}`, async () => {
    const answer = `I read three.\n\n${["a", "b", "c"].map(write).join("\n")}\n`;
    const { asked, executed } = await converse(async (conversation) => {
      for (let turn = 0; turn < 3; turn++) {
        await conversation.ask();
        conversation.say("ok");
      }
      assert.equal(await conversation.ask(), "All done.");
    }, answer);
    assert.deepEqual([asked, executed], [2, ["a", "b", "c"]]);
  });
}

const WRAPPERS: readonly (readonly [what: string, answer: string, note: RegExp])[] = [
  [
    "an unknown mode",
    `<multi_tool_use mode="what-ever">\n${OWN("a")}\n${OWN("b")}\n</multi_tool_use>`,
    /dependency_chain the wrapper's mode is not known/,
  ],
  [
    "no closing tag",
    `<multi_tool_use mode="parallel">\n${OWN("a")}\n${OWN("b")}\n`,
    /closer_missing|not closed/,
  ],
  [
    "an unknown tool",
    `<multi_tool_use mode="parallel">\n${OWN("a")}\n<nope><x>1</x></nope>\n${OWN("b")}\n</multi_tool_use>`,
    /multi_tool_use other text in the wrapper/,
  ],
  [
    "an unknown tool first",
    `<multi_tool_use mode="parallel">\n<nope><x>1</x></nope>\n${OWN("a")}\n${OWN("b")}\n</multi_tool_use>`,
    /multi_tool_use a wrapper without a call/,
  ],
];

for (const [what, answer, note] of WRAPPERS) {
  Deno.test(`a wrapper with ${what} leaves a note, and its calls are queued`, async () => {
    const { executed, all } = await converse(async (conversation) => {
      await conversation.ask();
      conversation.say("ok");
      await conversation.ask();
    }, answer);
    assert.deepEqual(executed, ["a", "b"]);
    assert.ok(all.some((one) => note.test(one)), all.join("\n"));
  });
}

Deno.test("a call after text is not queued", async () => {
  const { asked, executed } = await converse(async (conversation) => {
    await conversation.ask();
    conversation.say("ok");
    assert.equal(await conversation.ask(), "All done.");
  }, `${OWN("a")}\nThen I read b.\n${OWN("b")}`);
  assert.deepEqual([asked, executed], [2, ["a"]]);
});

Deno.test("when the queue is empty the model is asked again", async () => {
  const { asked, executed } = await converse(async (conversation) => {
    for (let turn = 0; turn < 3; turn++) {
      await conversation.ask();
      conversation.say("ok");
    }
    assert.equal(await conversation.ask(), "All done.");
  });
  assert.deepEqual([asked, executed], [2, ["a", "b", "c"]]);
});

const DROPPED: readonly (readonly [string, RegExp, (it: RooConversation, clock: { now: number }) => void])[] =
  [
    ["a denial", /failed or was denied/, (it) => it.say("The user denied this operation.")],
    ["feedback", /failed or was denied/, (it) => it.say("<feedback>\nNo, stop\n</feedback>")],
    ["a failed result", /failed or was denied/, (it) => it.say("<error>\nNo such file\n</error>")],
    [
      "a command that failed",
      /failed or was denied/,
      (it) => it.say("Command executed. Exit code: 2\nOutput:"),
    ],
    ["an edited history", /edited/, (it) => {
      it.messages[1] = { role: "user", content: "<task>\nRead\n</task>" };
      it.messages[2] = { role: "assistant", content: "Something else" };
      it.say("ok");
    }],
    ["a history that was cut", /edited/, (it) => {
      it.say("ok");
      it.messages.splice(2, 2);
    }],
    ["a message instead of a result", /not those|another tool/, (it) => {
      it.messages.push({ role: "user", content: "Do something else" });
    }],
    ["ten minutes", /^$/, (it, clock) => {
      it.say("ok");
      clock.now += 600_000;
    }],
  ];

for (const [what, why, happen] of DROPPED) {
  Deno.test(`${what} in the middle drops the queue: the model is asked, nothing runs twice`, async () => {
    const { asked, executed, notes } = await converse(async (conversation, clock) => {
      await conversation.ask();
      conversation.say("ok");
      await conversation.ask();
      happen(conversation, clock);
      assert.equal(await conversation.ask(), "All done.");
    });
    assert.deepEqual([asked, executed], [2, ["a", "b"]]);
    assert.match(notes.find((note) => note.includes("dropped")) ?? "", why);
  });
}

Deno.test("the same results sent twice are served once", async () => {
  const { asked, executed } = await converse(async (conversation) => {
    await conversation.ask();
    conversation.say("ok");
    const before = [...conversation.messages];
    await conversation.ask();
    conversation.messages.splice(0, Infinity, ...before);
    assert.equal(await conversation.ask(), "All done.");
  });
  assert.deepEqual([asked, executed], [2, ["a", "b"]]);
});
