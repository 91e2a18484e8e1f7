import assert from "node:assert/strict";
import policy from "../../plugins/call_policy.ts";
import type { PluginContext } from "../../src/proxy/plugin/mod.ts";
import { MemoryStore } from "../../src/proxy/store/store.ts";
import { builtInService } from "../support/built_in.ts";
import { loadFromDisk } from "../support/plugins.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { offer } from "../../src/engine/tool/offered.ts";

type Options = Parameters<NonNullable<typeof policy.onCall>>[1]["options"];

function decide(
  options: Partial<Options>,
  call: { tool?: string; arguments: Record<string, unknown> },
  around: Partial<PluginContext<Options>> = {},
) {
  const defaults = Object.fromEntries(
    Object.entries(policy.options ?? {}).map(([name, field]) => [name, field.default]),
  );
  const context: PluginContext<Options> = {
    options: { ...defaults, ...options } as Options,
    offered: offer([{ name: "run" }]),
    client: "openai",
    callsPerMessage: undefined,
    request: {},
    conversation: "c",
    store: new MemoryStore({ now: () => 0 }),
    state: new Map(),
    newId: () => "id",
    note() {},
    ...around,
  };
  void policy.onRequest?.(context.request, context);
  const whole = { tool: "run", meta: {}, rule: "r", source: "x", ...call };
  const decision = policy.onCall?.(whole, context);
  if (decision === undefined) return "allow";
  return "refuse" in decision ? decision.refuse : decision;
}

const command = (text: string) => ({ arguments: { command: text } });
const OUTSIDE = "a path outside the workspace";
const path = (text: string) => ({ arguments: { path: text } });

const CASES: readonly (readonly [string, Partial<Options>, Parameters<typeof decide>[1], string])[] = [
  ["no lists", {}, command("rm -rf /"), "allow"],
  ["deny", { deny: ["run: rm *"] }, command("rm  -rf /"), 'denied by "run: rm *"'],
  ["deny of another tool", { deny: ["other: rm *"] }, command("rm -rf /"), "allow"],
  ["deny for any tool", { deny: ["*: *sudo*"] }, command("x && sudo y"), 'denied by "*: *sudo*"'],
  ["deny of a tool", { deny: ["run"] }, command("ls"), 'denied by "run"'],
  ["deny of a parameter", { deny: ["run.cwd: /etc*"] }, command("/etc"), "allow"],
  ["allow", { allow: ["run: git *", "run: npm *"] }, command("npm test"), "allow"],
  ["what is not allowed", { allow: ["run: git *"] }, command("ls"), "not on the list of allowed calls"],
  ["tools without an allow list", { allow: ["other: x"] }, command("ls"), "allow"],
  [
    "deny wins",
    { allow: ["run: git *"], deny: ["run: git push*"] },
    command("git push"),
    'denied by "run: git push*"',
  ],
  [
    "ask without a question tool",
    { ask: ["run: git push*"] },
    command("git push"),
    '"run: git push*" asks first',
  ],
  ["commands on the list", { commands: ["ls", "cat"] }, command("ls | cat"), "allow"],
  [
    "a command behind another",
    { commands: ["ls"] },
    command("ls && rm x"),
    "a command that is not on the list",
  ],
  ["a substitution", { commands: ["ls"] }, command("ls $(rm x)"), "a command that is not on the list"],
  ["a path inside", { workspace: "/w/p" }, path("src/../a.ts"), "allow"],
  ["the workspace itself", { workspace: "/w/p/" }, path("/w/p"), "allow"],
  ["a path that climbs out", { workspace: "/w/p" }, path("../q"), OUTSIDE],
  ["a neighbour with the same beginning", { workspace: "/w/p" }, path("/w/pq/a"), OUTSIDE],
  ["an absolute path", { workspace: "/w/p" }, path("/etc/passwd"), OUTSIDE],
  ["the home folder", { workspace: "/w/p" }, path("~/.ssh/id"), OUTSIDE],
  ["a path of Windows", { workspace: "C:\\w" }, path("c:\\w\\a.ts"), "allow"],
  ["a path of Windows outside", { workspace: "C:\\w" }, path("C:\\windows\\x"), OUTSIDE],
  ["a path deep in the arguments", { workspace: "/w" }, { arguments: { files: [{ path: "/x" }] } }, OUTSIDE],
];

for (const [name, options, call, expected] of CASES) {
  Deno.test(`call_policy: ${name}`, () => assert.equal(decide(options, call), expected));
}

Deno.test("call_policy gives a command its folder, and no call to a tool that can't get one", () => {
  const properties = { command: { type: "string" }, workdir: { type: "string" } };
  const around = { offered: offer([{ name: "run", schema: { type: "object", properties } }]) };
  const options = { command_folder: "/w/p" };
  assert.deepEqual(decide(options, command("ls"), around), { arguments: { command: "ls", workdir: "/w/p" } });
  assert.equal(decide(options, { arguments: { command: "ls", workdir: "/w/q" } }, around), "allow");
  assert.equal(decide(options, path("a.ts"), around), "allow");
  assert.equal(decide(options, command("ls")), "the tool has no parameter for a command's folder");
  assert.equal(
    decide({ ...options, deny: ["run.workdir: /w/*"] }, command("ls"), around),
    'denied by "run.workdir: /w/*"',
  );
});

Deno.test("a command in a shell block runs in the folder of call_policy", async () => {
  await using upstream = startUpstream({ text: "I look.\n```bash\nls -la\n```\n" });
  const { plugins } = await loadFromDisk({
    config: "plugins: [{ use: call_policy, command_folder: /w/p }]\n",
  });
  const rules = { enable: ["shell_block"], confidence: { shell_block: 0.95 } };
  const service = await builtInService(testConfig(upstream.url, { rules }), plugins);
  await using proxy = await startProxy(service);
  const parameters = { type: "object", properties: { command: { type: "string" }, cwd: { type: "string" } } };
  const tools = [{ type: "function", function: { name: "execute_command", parameters } }];
  const { choices: [{ message }] } = await (await askChat(proxy.origin, { body: { tools } })).json();
  assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), { command: "ls -la", cwd: "/w/p" });
});

Deno.test("call_policy asks the person, and lets the same call pass once after a yes to that question", () => {
  const store = new MemoryStore({ now: () => 0 });
  const offered = offer([{ name: "run" }, { name: "ask_followup_question" }]);
  const options = { ask: ["run: git push*"] };
  const asked = decide(options, command("git push"), { store, offered });
  assert(typeof asked === "object" && "replace" in asked);
  assert.equal(asked.replace[0]?.tool, "ask_followup_question");
  const question = String(asked.replace[0]?.arguments["question"]);
  assert.match(question, /git push/);
  const answer = (content: string, turns: number) => ({
    request: {
      messages: [
        ...Array.from({ length: turns }, () => ({ role: "assistant", content: "" })),
        { role: "user", content: `[ask_followup_question for '${question}'] Result:\n\n${content}` },
      ],
    },
    store,
    offered,
  });
  assert.equal(typeof decide(options, command("git push"), answer("<answer>No</answer>", 1)), "object");
  const yes = (turns: number) =>
    answer("<answer>\nYes, run it\n</answer>\n<environment_details>\n</environment_details>", turns);
  assert.equal(typeof decide(options, command("git push"), yes(1)), "object");
  assert.equal(decide(options, command("git push"), yes(2)), "allow");
  assert.equal(typeof decide(options, command("git push"), yes(2)), "object");
  assert.equal(typeof decide(options, command("git push --force"), yes(3)), "object");
});

Deno.test("call_policy never throws, whatever the messages are: a plugin that throws decides nothing", () => {
  const offered = offer([{ name: "run" }, { name: "ask_followup_question" }]);
  const store = new MemoryStore({ now: () => 0 });
  const odd = [null, 1, "x", [], {}, { role: "assistant", tool_calls: [null, 1, { function: null }] }, {
    role: "tool",
    tool_call_id: 7,
    content: [null, 1, { text: 2 }],
  }];
  const messages = [odd, "x", null, {}, ...odd.map((one) => [{ role: "assistant" }, one])];
  for (const messages_ of messages) {
    const request = { messages: messages_ as never };
    assert.equal(typeof decide({ ask: ["run"] }, command("x"), { request, store, offered }), "object");
  }
});
