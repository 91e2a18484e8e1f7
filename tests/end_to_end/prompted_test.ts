/**
 * Agents of every wire with an upstream that knows nothing of tools: the announcement, the call, its result, and what the
 * client gets, over real sockets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { messagesOf, type Speech, startToolless } from "../support/toolless_upstream.ts";
import { askWire, WIRES } from "../support/wire_conversations.ts";
import { WRITE_FILE_SCHEMA } from "../support/written_file.ts";

/** A value with the marks of the dialects. */
const NASTY = 'a <b> </parameter>\n"q" \\ & &lt; </tool_call> {"x": 1}\n\t😀';
const CALL = { name: "write_file", args: { path: "a.txt", content: NASTY } };

/** What the model prints in a dialect. */
const PRINTED: Readonly<Record<string, string>> = {
  hermes: `I write.\n<tool_call>\n${JSON.stringify({ name: CALL.name, arguments: CALL.args })}\n</tool_call>`,
  qwen_xml: `I write.\n<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n` +
    `<parameter=content>\n${NASTY}\n</parameter>\n</function>\n</tool_call>`,
};

const tool = { name: CALL.name, description: "Writes a file", schema: { ...WRITE_FILE_SCHEMA } };

async function startPair(settings: Record<string, unknown>, speech: Speech) {
  const upstream = startToolless(speech);
  const config = testConfig(undefined, { upstreams: [{ name: "local", url: upstream.url, ...settings }] });
  const proxy = await startProxy(await builtInService(config));
  return {
    upstream,
    origin: proxy.origin,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`tools: prompted speaks ${dialect} to a server without tools for clients of every wire`, async () => {
    await using pair = await startPair({ tools: "prompted", dialect }, (messages) => {
      assert(messages[0]!.content.includes(CALL.name), "the prompt names the tool");
      return messages.at(-1)!.content.includes("RESULT") ? "Done." : printed;
    });
    for (const wire of WIRES) {
      const first = await askWire(wire, { origin: pair.origin, tool });
      assert.deepEqual(first.calls, [[CALL.name, CALL.args]], wire);
      const past = { ...CALL, result: "RESULT <1>" };
      const second = await askWire(wire, { origin: pair.origin, tool, past });
      assert.deepEqual({ calls: second.calls, text: second.text }, { calls: [], text: "Done." }, wire);
      const [one = [], two = []] = pair.upstream.requests.slice(-2).map(messagesOf);
      assert.deepEqual(two.slice(0, one.length), one, `${wire}: the second prompt begins as the first`);
      const [call, result] = two.slice(one.length);
      assert.equal(
        call?.content,
        printed.replace("I write.\n", "").replace(/("\w+"):(?=["{])/g, "$1: ")
          .replaceAll('","', '", "'),
        wire,
      );
      assert(result?.content.includes("RESULT <1>"), wire);
    }
  });
}

Deno.test("tools: native leaves a server without tools with its own error", async () => {
  await using pair = await startPair({}, () => "never");
  const { calls, text } = await askWire("chat", { origin: pair.origin, tool });
  assert.deepEqual([calls, text], [[], ""]);
});
