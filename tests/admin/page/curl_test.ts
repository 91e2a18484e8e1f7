import assert from "node:assert/strict";
import type { LiveRequest } from "../../../src/admin/live/request.ts";
import { curlOf, tryCommand } from "../../../src/admin/page/curl.ts";

Deno.test("curlOf writes a command that a shell reads, without a key", async (t) => {
  const chat = JSON.stringify({ messages: [{ role: "user", content: 'it\'s $HOME `x` \\n "q"' }] });
  const request = { client: "roo", isStreamed: true } as LiveRequest;
  const command = curlOf(request, { chat, origin: "http://127.0.0.1:8787" });
  assert.match(command, /^curl -N http:\/\/127\.0\.0\.1:8787\/roo\/v1\/chat\/completions /);
  assert.ok(!/authorization/i.test(command));
  const plain = curlOf({ ...request, client: null, isStreamed: false }, { chat: "{}", origin: "http://h" });
  assert.match(tryCommand("http://h"), /^curl http:\/\/h\/v1\/chat\/completions [^]*"messages":/);
  assert.match(plain, /^curl http:\/\/h\/v1\/chat\/completions /);
  const printed = command.replace(/^curl -N/, "printf '%s\\n'");
  const shell = new Deno.Command("sh", { args: ["-c", printed] });
  const { stdout, success } = await shell.output().catch(() => ({ stdout: undefined, success: false }));
  if (stdout === undefined) return console.log(`SKIPPED ${t.name}: no shell`);
  assert.ok(success);
  assert.equal(new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1), chat);
});
