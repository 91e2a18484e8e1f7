import assert from "node:assert/strict";
import { join } from "node:path";
import { replay } from "../../../src/cli/replay.ts";
import { report } from "../../../src/cli/report.ts";
import { serve } from "../../../src/cli/serve.ts";
import { escapedLines } from "../../../src/engine/diagnostic/visible.ts";
import { readPrometheus } from "../../support/prometheus.ts";
import { askChat } from "../../support/proxy.ts";
import { readLiveBatch } from "../../support/live.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";
import { createTestContext, type WorldOptions } from "../../support/context.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { openFigures } from "../../../src/cli/service/observers.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

const UPSTREAM_KEY = "upstream-key-0001";
const BEARER = "client-bearer-0002";
const PASSWORD = "argument-password-0003";
const TOKEN = "sk-proj-0004abcdefgh";
const SECRETS = [UPSTREAM_KEY, BEARER, PASSWORD, TOKEN];

const TOOLS = [{
  type: "function",
  function: {
    name: "login",
    parameters: { type: "object", properties: { user: {}, password: { type: "string" }, note: {} } },
  },
}];

const CALL =
  `Now <tool_call>\n<function=login>\n<parameter=user>\nme\n</parameter>\n<parameter=password>\n${PASSWORD}` +
  `\n</parameter>\n<parameter=note>\n${TOKEN}\n</parameter>\n</function>\n</tool_call>` +
  `\nand <tool_call>\n<function=unoffered>\n<parameter=api_key>\n${PASSWORD}\n</parameter>\n</function>\n</tool_call>`;

interface Running extends AsyncDisposable {
  readonly origin: string;
  readonly folder: string;
  readonly printed: { stdout: string; stderr: string };
  stop(): Promise<number>;
}

/** Serves in a fresh folder. */
async function startServing(
  values: Record<string, string | boolean>,
  { config, ...options }: WorldOptions & { config: string },
): Promise<Running> {
  const folder = await temporaryFolder({ "dragoman.yaml": config });
  const stopping = new AbortController();
  const ready = Promise.withResolvers<string>();
  const context = createTestContext({ ...options, workingDirectory: folder });
  const ended = serve.run({ values: { port: "0", ...values }, positionals: [] }, {
    ...context,
    stdout(text) {
      context.stdout(text);
      const url = /(http:\S+)\/v1\n/.exec(context.printed.stdout)?.[1];
      if (url !== undefined) ready.resolve(url);
    },
    signal: stopping.signal,
  });
  const stop = async () => {
    stopping.abort();
    return await ended;
  };
  const origin = await Promise.race([ready.promise, ended.then(() => "ended")]);
  if (origin === "ended") throw new Error(context.printed.stderr);
  return {
    origin,
    folder,
    printed: context.printed,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

const configOf = (url: string, more = "") =>
  `upstreams: [{ name: local, url: "${url}", key_env: UP_KEY }]\n${more}`;

async function ask(origin: string, stream: boolean): Promise<string> {
  const response = await askChat(origin, {
    body: { stream, tools: TOOLS, model: `model ${BEARER}` },
    headers: { authorization: `Bearer ${BEARER}` },
  });
  return await response.text();
}

async function readFolder(folder: string): Promise<string[]> {
  const files = await Array.fromAsync(Deno.readDir(folder));
  return await Promise.all(files.map(({ name }) => Deno.readTextFile(join(folder, name))));
}

Deno.test("serve writes no secret to the audit log, the metrics, the pages or the terminal", async () => {
  await using upstream = startUpstream({ text: CALL });
  const config = configOf(
    upstream.url,
    "audit: { file: log/audit.jsonl, contents: true }\nadmin: { contents: true }\n",
  );
  await using running = await startServing({ verbose: true, record: "captures" }, {
    config,
    environment: { UP_KEY: UPSTREAM_KEY },
  });
  for (const stream of [true, false]) assert.ok((await ask(running.origin, stream)).includes("tool_calls"));
  const { requests } = await readLiveBatch(running.origin);
  const pages: Record<string, string> = { live: JSON.stringify(requests) };
  for (
    const page of [
      "/metrics",
      ...["status", "rules", "decisions", "sections/store", "figures", "plugins", "rule?name=qwen_xml"].map((
        name,
      ) => `/_dragoman/${name}`),
      ...requests.map(({ id }) => `/_dragoman/live/${id}`),
    ]
  ) {
    const response = await fetch(running.origin + page);
    assert.equal(response.status, 200, page);
    pages[page] = await response.text();
  }
  await running.stop();
  const audit = await Deno.readTextFile(join(running.folder, "log/audit.jsonl"));
  const lines = audit.trimEnd().split("\n").map((line) => JSON.parse(line));
  const outcomes = lines.map(({ kind, outcome }) => outcome ?? kind);
  for (const outcome of ["transformed", "abstained", "request"]) {
    assert.ok(outcomes.includes(outcome), outcome);
  }
  const login = lines.find(({ outcome }) => outcome === "transformed");
  assert.equal(login.rendered, '{"user":"me","password":"[redacted]","note":"[redacted]"}');
  assert.ok(login.original.includes("<parameter=user>\nme\n"));
  const captures = await readFolder(join(running.folder, "captures"));
  assert.equal(captures.length, 2);
  const written: Record<string, string> = {
    audit,
    ...running.printed,
    ...pages,
    captures: captures.join(""),
  };
  for (const [place, text] of Object.entries(written)) {
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} in ${place}`);
  }
  const opened = requests.map(({ id }) => pages[`/_dragoman/live/${id}`] ?? "");
  assert.equal(opened.filter((text) => text.includes("<parameter=user>\\nme\\n")).length, 2);
  const decisions = readPrometheus(pages["/metrics"] ?? "").filter(({ name }) =>
    name === "dragoman_decisions_total"
  );
  assert.equal(decisions.find(({ labels }) => labels.reason === "transformed")?.value, 2);
  assert.equal(
    JSON.parse(pages["/_dragoman/rules"] ?? "").find(({ rule }: { rule: string }) => rule === "qwen_xml").hits
      .made,
    2,
  );
  const rule = JSON.parse(pages["/_dragoman/rule?name=qwen_xml"] ?? "");
  assert.equal(rule.file, "rules/qwen_xml.yaml");
  assert.match(rule.text, /^rule: qwen_xml\n[^]*\nexamples:\n/);
  assert.deepEqual(rule.decisions.map(({ end }: { end: string }) => end), ["made", "left", "made", "left"]);
});

Deno.test({
  name: "serve tells once of an audit log that cannot be written any more, and answers all the same",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using upstream = startUpstream({ text: CALL });
    const options = { config: configOf(upstream.url), environment: { UP_KEY: UPSTREAM_KEY } };
    await using running = await startServing({ audit: "/dev/full" }, options);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => ask(running.origin, number % 2 === 0)),
    );
    for (const answer of answers) assert.ok(answer.includes("tool_calls"));
    await running.stop();
    const told = running.printed.stderr.match(/Cannot write the audit log/g) ?? [];
    assert.equal(told.length, 1, running.printed.stderr);
  },
});

for (const [flag, what] of [["audit", "the audit log"], ["record", "answers into"]] as const) {
  Deno.test(`serve tries --${flag} when it starts, and doesn't start if it can't write there`, async () => {
    const path = flag === "audit" ? "dragoman.yaml/audit.jsonl" : "dragoman.yaml";
    const starting = startServing({ [flag]: path }, { config: configOf("http://127.0.0.1:1/v1") });
    await assert.rejects(
      starting,
      new RegExp(`file_unwritable\\]: Cannot write ${what} [^]*help: check the path`),
    );
  });
}

Deno.test("serve --dry-run changes nothing and records what it would have done", async () => {
  await using upstream = startUpstream({ text: CALL });
  const config = configOf(upstream.url);
  const values = { "dry-run": true, audit: "audit.jsonl" };
  await using running = await startServing(values, { config, environment: { UP_KEY: UPSTREAM_KEY } });
  const answer = await ask(running.origin, false);
  assert.equal(answer, await ask(upstream.url.slice(0, -3), false));
  const reload = await fetch(`${running.origin}/_dragoman/reload`, { method: "POST" });
  assert.deepEqual(await reload.json(), { isReloaded: true, errors: 0, diagnostics: [] });
  await running.stop();
  const audit = await Deno.readTextFile(join(running.folder, "audit.jsonl"));
  assert.ok(audit.includes('"mode":"dry_run"') && audit.includes('"reason":"would_transform"'), audit);
  assert.ok(!audit.includes('"original"'), "no contents unless asked");
});

Deno.test("replay finds nothing changed under the same rules, and says what a changed rule does", async () => {
  await using upstream = startUpstream({ text: CALL });
  const config = configOf(upstream.url);
  const values = { record: "captures" };
  await using running = await startServing(values, { config, environment: { UP_KEY: UPSTREAM_KEY } });
  await ask(running.origin, true);
  await running.stop();
  const play = async (more: Record<string, string | string[]>) => {
    const context = createTestContext({ workingDirectory: running.folder, environment: { UP_KEY: "x" } });
    const code = await replay.run({ values: more, positionals: ["captures"] }, context);
    return { code, ...context.printed };
  };
  const same = await play({});
  assert.deepEqual([same.code, same.stdout], [0, "1 capture, 0 changed\n"], same.stderr);
  const changed = await play({ disable: ["qwen_xml"] });
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /changed\n {2}- login .*"user":"me".* \(qwen_xml\)\n/);
  assert.match(changed.stdout, /1 capture, 1 changed\n$/);
});

/** What a terminal would obey: ESC, CR, the C1 control CSI, and an override of the writing direction. */
const HOSTILE = "\x1b[2J\r\u009b2J\u202e";

const HOSTILE_SHOWN = "\\u001b[2J\\u000d\\u009b2J\\u202e";

Deno.test("serve and report show names with control characters and direction marks escaped, everywhere", async () => {
  const call = JSON.stringify({ name: `dig${HOSTILE}`, arguments: {} });
  await using upstream = startUpstream({ text: `Now <tool_call>\n${call}\n</tool_call>` });
  const config = `upstreams: [{ name: local, url: "${upstream.url}" }]\naudit: { file: audit.jsonl }\n`;
  await using running = await startServing({ verbose: true, record: "captures" }, { config });
  const tools = [`dig${HOSTILE}`, "other"].map((name) => ({ type: "function", function: { name } }));
  for (const offered of [tools, tools.slice(1)]) {
    const answer = await askChat(running.origin, { body: { model: `model${HOSTILE}`, tools: offered } });
    assert.equal(answer.status, 200, await answer.text());
  }
  const page = async (path: string) => await (await fetch(running.origin + path)).text();
  const pages = { metrics: await page("/metrics"), decisions: await page("/_dragoman/decisions") };
  await running.stop();
  const reported = async (values: Record<string, string | boolean>) => {
    const context = createTestContext({ workingDirectory: running.folder });
    assert.equal(await report.run({ values, positionals: ["audit.jsonl"] }, context), 0);
    return context.printed.stdout;
  };
  const shown: Record<string, string> = {
    ...pages,
    terminal: running.printed.stdout,
    audit: await Deno.readTextFile(join(running.folder, "audit.jsonl")),
    captures: (await readFolder(join(running.folder, "captures"))).join(""),
    table: await reported({}),
    json: await reported({ json: true }),
    html: await reported({ html: "report.html" }) &&
      await Deno.readTextFile(join(running.folder, "report.html")),
  };
  for (const [place, text] of Object.entries(shown)) {
    assert.equal(escapedLines(text), text, place);
    assert.ok(/(?:dig|model)\\+u001b\[2J/.test(text), `${place}:\n${text}`);
  }
  const audited = shown["audit"]?.trimEnd().split("\n").map((line) => JSON.parse(line)) ?? [];
  assert.ok(audited.some(({ model }) => model === `model${HOSTILE}`), "a program reads the real name");
  // The format of the page doubles backslashes.
  assert.ok(pages.metrics.includes(`tool="dig${HOSTILE_SHOWN.replaceAll("\\", "\\\\")}"`), pages.metrics);
});

Deno.test("openFigures sums lines since the start, and over time for what the query names", () => {
  const figures = openFigures();
  figures.add([decisionLine("transformed"), requestLine()]);
  figures.add([requestLine({ model: "large" })]);
  const requestsOf = (query: string) => {
    const { all, timeline: { columns, points } } = figures.read(new URLSearchParams(query));
    const column = columns.indexOf("requests") + 1;
    return [all.requests, points.reduce((sum, point) => sum + point[column]!, 0)];
  };
  assert.deepEqual(requestsOf(""), [2, 2]);
  assert.deepEqual(requestsOf("model=large"), [2, 1]);
  assert.deepEqual(requestsOf("rule=qwen_xml"), [2, 0]);
});
