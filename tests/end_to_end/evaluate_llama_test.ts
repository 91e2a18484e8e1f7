import assert from "node:assert/strict";
import { evaluateModel } from "../../src/cli/evaluate.ts";
import { Recorder } from "../../src/cli/evaluate_recorder.ts";
import { runEvaluation } from "../../src/cli/evaluate_run.ts";
import { findTarget } from "../../src/cli/evaluate_target.ts";
import type { Question } from "../../src/analysis/evaluate/battery.ts";
import { type EvaluationFacts, summarize } from "../../src/analysis/evaluate/evaluation.ts";
import { sharedSchema } from "../../src/analysis/evaluate/shared_file.ts";
import { loadParts } from "../analysis/evaluate/evaluated.ts";
import { IS_SKIPPED, startLlama } from "../support/llama_server.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { functionTool } from "../support/chat_tools.ts";

const send = (request: Request) => fetch(request);

const tools = [
  functionTool("read_file", { path: "string" }, { required: ["path"], description: "Read a file" }),
];

/** The model repeats what is written after a turn in the last message. */
function question(
  said: string,
  { head, tail, stream, at }: { head: string; tail: string; stream: boolean; at: number },
): Question {
  return {
    task: "plain_call",
    repeat: at,
    expect: { calls: [{ tool: "read_file", arguments: { path: `src/file_${at}.ts` } }] },
    request: {
      model: "tiny",
      messages: [{ role: "user", content: `Go ${at}. ${head}${said}${tail}` }],
      tools,
      max_tokens: 300,
      seed: at,
      ...stream ? { stream: true } : {},
    },
  };
}

async function evaluateQuestions(url: string, questions: readonly Question[]) {
  const context = createTestContext();
  const parts = await loadParts();
  // The model gets its answers in the request, which is what the guard is for.
  const config = { ...parts.config, policy: { ...parts.config.policy, echo_guard: false } };
  const target = await findTarget({ values: { upstream: url }, positionals: [] }, {
    parts: { ...parts, config },
    context,
    send,
    known: {},
  });
  assert.ok("servers" in target, context.printed.stderr);
  const { upstream, servers } = target;
  const recorder = new Recorder({ send, signal: context.signal, wait: () => Promise.resolve() });
  const ran = await runEvaluation({
    ...target,
    recorder,
    signal: context.signal,
    model: "tiny",
    questions,
    concurrency: 1,
  });
  const known = servers.of(upstream);
  assert.equal(known?.server, "llama.cpp");
  const facts: EvaluationFacts = {
    battery: "parrot",
    dragoman: "0",
    date: "2026-11-23",
    mode: "quick",
    repeats: 1,
    temperature: null,
    model: "tiny",
    isVisible: ran.isVisible,
    requests: recorder.sent,
    isPartial: false,
  };
  return summarize(ran.samples, facts);
}

Deno.test("evaluate: a real llama.cpp is recognized, and the battery runs end to end", {
  ignore: IS_SKIPPED,
}, async () => {
  await using server = await startLlama();
  const folder = await temporaryFolder();
  const context = createTestContext({ workingDirectory: folder });
  // `tool_choice: required` makes this model write to the limit, so the limit is low here.
  const code = await evaluateModel({
    values: { upstream: server.url, quick: true, json: true, temperature: "0" },
    positionals: [],
  }, {
    context,
    known: {},
    async send(request) {
      const body = request.method === "POST" ? await request.text() : undefined;
      const short = body?.replace(/"max_tokens":4096/, '"max_tokens":100') ?? null;
      const { url, headers, method, signal } = request;
      return await fetch(url, { method, headers, body: short, signal });
    },
  });
  assert.equal(code, 1, context.printed.stderr);
  const shared = sharedSchema.parse(JSON.parse(context.printed.stdout));
  assert.equal(shared.server.kind, "llama.cpp");
  assert.match(shared.server.version ?? "", /^b\d+/);
  assert.match(shared.model.template_sha256 ?? "", /^[\da-f]{64}$/);
  assert.equal(shared.columns.alone?.n, 36);
  assert.equal(shared.columns.dragoman?.n, 36);
  // The model repeats the user, so it calls nothing, and answers in words.
  assert.equal(shared.tasks.no_call?.alone, "3/3");
  assert.equal(shared.tasks.plain_call?.alone, "0/3");
  assert.ok(shared.findings.some(({ id }) => id === "answers_in_words"));
  assert.ok(shared.columns.prompted !== undefined);
});

Deno.test(
  "evaluate: the parser of a real llama.cpp reads calls, and fails at others, which Dragoman repairs",
  {
    ignore: IS_SKIPPED,
  },
  async () => {
    const good = [0, 1].map((at) => {
      const said =
        `<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/file_${at}.ts\n</parameter>\n</function>\n</tool_call>`;
      return question(said, { head: "<|im_start|>assistant\n", tail: "<|im_end|>", stream: at === 1, at });
    });
    {
      await using server = await startLlama();
      const { columns, findings, facts } = await evaluateQuestions(server.url, good);
      assert.deepEqual(findings, []);
      assert.deepEqual(columns.map(({ name, k, n }) => [name, k, n]), [["alone", 2, 2], ["dragoman", 2, 2]]);
      assert.equal(facts.isVisible, true);
    }
    await using server = await startLlama("meta-llama-Llama-3.1-8B-Instruct.jinja");
    const broken = [0, 1].map((at) => {
      const said = `{"name": "read_file", "parameters": {"path": "src/file_${at}.ts"}}\nThat is my call.`;
      const head = "<|start_header_id|>assistant<|end_header_id|>\n\n";
      return question(said, { head, tail: "<|im_end|>", stream: at === 1, at });
    });
    const { columns, findings } = await evaluateQuestions(server.url, broken);
    assert.equal(findings[0]?.id, "parser_failed", JSON.stringify({ columns, findings }));
    assert.equal(findings[0]?.alone, 2);
  },
);
