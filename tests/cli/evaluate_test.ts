import differences from "../analysis/evaluate/suite_differences.json" with { type: "json" };
import assert from "node:assert/strict";
import { join } from "node:path";
import { evaluate, evaluateModel } from "../../src/cli/evaluate.ts";
import type { VerbValue } from "../../src/cli/verb.ts";
import { sharedSchema } from "../../src/analysis/evaluate/shared_file.ts";
import { type Fault, FAULTS, HARMLESS } from "../analysis/evaluate/faults.ts";
import { createFaultyServer, MODEL } from "../analysis/evaluate/faulty_server.ts";
import { createTestContext, type WorldOptions } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const URL_HERE = "http://127.0.0.1:9/v1";

/** A server with its list of models. */
function serverWith(faults: Readonly<Record<string, Fault>>, signs: Readonly<Record<string, string>> = {}) {
  const { send } = createFaultyServer(faults);
  const asked: string[] = [];
  return {
    asked,
    async send(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname.endsWith("/models")) return Response.json({ data: [{ id: MODEL, ...signs }] });
      if (pathname === "/version") return Response.json({ version: "0.28.0" });
      if (!pathname.endsWith("/chat/completions")) return new Response("", { status: 404 });
      return await send(request);
    },
  };
}

interface Running {
  readonly values?: Readonly<Record<string, VerbValue>>;
  readonly positionals?: readonly string[];
  readonly send?: (request: Request) => Promise<Response>;
  readonly context?: WorldOptions;
  readonly signal?: AbortSignal;
  readonly ask?: (question: string) => string;
}

async function run(
  folder: string,
  { values = {}, positionals = [], send, context: options, signal, ask }: Running,
) {
  const made = createTestContext({ workingDirectory: folder, ...options });
  const context = { ...made, ...signal === undefined ? {} : { signal }, ask };
  const given = { upstream: URL_HERE, quick: true, ...values };
  const code = await evaluateModel({ values: given, positionals }, {
    context,
    send: send ?? serverWith(none).send,
    known: {},
  });
  return { code, ...made.printed };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  await work(folder);
}

/** The answers of evaluations that were stopped. */
function partialFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.startsWith("evaluate.partial.")
  );
}

const none = { none: HARMLESS.none! };
const text = { text: FAULTS.text! };

Deno.test("evaluate prints a verdict, a table and findings that a newcomer can act on", () =>
  inFolder(async (folder) => {
    const good = await run(folder, { send: serverWith(none).send });
    assert.equal(good.code, 0, good.stderr);
    assert.match(
      good.stdout,
      /^No answer is wrong, with or without Dragoman: at least 90% .*Rarer\s+errors/s,
    );
    assert.match(
      good.stderr,
      /: 47 requests, [\d,]+ tokens read, [\d,]+ written; \d+ min at 30 tokens a second/,
    );
    const leaky = await run(folder, { send: serverWith(text, { owned_by: "vllm" }).send });
    assert.equal(leaky.code, 0, "Dragoman repairs it");
    assert.match(leaky.stderr, /on vllm 0\.28\.0/);
    assert.match(leaky.stdout, /Keep Dragoman between the agent and this server/);
    assert.match(
      leaky.stdout,
      /! calls_printed_as_text \(hermes\), in the parser\n {2}The model writes a call, but the server/,
    );
    assert.match(leaky.stdout, /27 wrong answers alone, 27 of them correct through Dragoman; in/);
    assert.match(
      leaky.stdout,
      /→ Configure the server's own parser [^!]* start the server with\s+--enable-auto-tool-choice\s+--tool-call-parser hermes/,
    );
    const refused = await run(folder, { send: serverWith({ refused: FAULTS.refused_tools! }).send });
    assert.match(
      refused.stdout,
      /! tools_refused, in the server\n[^!]*the server: this model does not support tools/,
    );
    assert.deepEqual([...Deno.readDirSync(folder)], [], "no file is left");
  }));

Deno.test("evaluate writes JSON to share without host and key, a page, and a collection with its table", () =>
  inFolder(async (folder) => {
    const values = {
      json: true,
      html: "result.html",
      save: "evaluations",
      "key-env": "SECRET_KEY",
      quantization: "Q4_K_M",
      model: join("/", "home", "anna", "models", "tiny.gguf"),
    };
    const context = { environment: { SECRET_KEY: "sk-very-secret" } };
    for (const faults of [none, text]) {
      const { code, stdout, stderr } = await run(folder, { values, context, send: serverWith(faults).send });
      assert.equal(code, 0, stderr);
      const shared = sharedSchema.parse(JSON.parse(stdout));
      assert.deepEqual(shared.model, { name: "tiny.gguf", quantization: "Q4_K_M" });
      assert.doesNotMatch(stdout, /127\.0\.0\.1|very-secret|anna/);
    }
    const page = await Deno.readTextFile(join(folder, "result.html"));
    assert.match(page, /calls_printed_as_text/);
    assert.match(page, /curl &quot;\$UPSTREAM\/chat\/completions&quot;/);
    assert.doesNotMatch(page, /127\.0\.0\.1|very-secret|<script|\\u000a/);
    // The page ends its advice with the command that checks a change, and says what its variables are.
    assert.match(page, /run dragoman evaluate (?:--\S+(?: \S+)? )*again/);
    assert.match(page, /Examples: \d+ of \d+ wrong answers/);
    assert.match(page, /\$UPSTREAM is the server's address/);
    assert.match(page, /pass\^k .*trigger rate .*schema rate/);
    await Deno.writeTextFile(join(folder, "evaluations", "broken.json"), '{"v": 1}');
    const collected = await run(folder, {
      positionals: ["collect", "evaluations"],
      values: { html: "table.html", quick: undefined },
    });
    assert.match(collected.stdout, /2 reports, 1 rows/);
    assert.equal(collected.code, 1, "one file is no evaluation");
    assert.match(collected.stderr, /broken\.json isn't an evaluation: battery/);
    const table = await Deno.readTextFile(join(folder, "table.html"));
    assert.match(table, /2, which disagree/);
    assert.match(table, /72\/72/);
  }));

Deno.test("evaluate --write changes the configuration only for a measured gain, and keeps its comments", () =>
  inFolder(async (folder) => {
    const config = join(folder, "dragoman.yaml");
    await Deno.writeTextFile(config, `# mine\nupstreams:\n  - name: local # here\n    url: ${URL_HERE}\n`);
    const kept = await run(folder, { values: { write: true }, send: serverWith(none).send });
    assert.match(kept.stdout, /Nothing is written, because no setting improved the results/);
    const send = serverWith({ dropped_tools: FAULTS.dropped_tools! }).send;
    const { code, stdout } = await run(folder, { values: { write: true }, send });
    assert.equal(code, 1, "as it was configured, it is wrong");
    assert.match(stdout, /Best: through Dragoman with `tools: prompted` \(36 of 36/);
    assert.match(stdout, /\n {4}# {3}- name: …\n {4}# {5}url: …\n {8}tools: prompted\n/);
    assert.match(stdout, /Changed dragoman\.yaml:\n\+ {5}tools: prompted\n/);
    assert.equal(
      await Deno.readTextFile(config),
      `# mine\nupstreams:\n  - name: local # here\n    url: ${URL_HERE}\n    tools: prompted\n`,
    );
    const again = await run(folder, { send });
    assert.equal(again.code, 0, "with the new settings nothing is wrong");
  }));

Deno.test("evaluate --write never writes over a configuration that it can't read, and makes one if there is none", () =>
  inFolder(async (folder) => {
    const config = join(folder, "dragoman.yaml");
    const values = { write: true };
    const { send } = serverWith({ dropped_tools: FAULTS.dropped_tools! });
    assert.match((await run(folder, { values, send })).stdout, /Changed dragoman\.yaml:\n\+ upstreams:/);
    assert.match(await Deno.readTextFile(config), /tools: prompted/);
    await Deno.remove(config);
    // The file changes while the model is asked: 0xff is never UTF-8.
    const unreadable = Uint8Array.of(0xff, ...new TextEncoder().encode("# mine\n"));
    const { code, stderr } = await run(folder, {
      values,
      async send(request) {
        await Deno.writeFile(config, unreadable);
        return await send(request);
      },
    });
    assert.equal(code, 2);
    assert.match(stderr, /file_unreadable\].* Cannot read dragoman\.yaml: it is not UTF-8 text/);
    assert.deepEqual(await Deno.readFile(config), unreadable);
  }));

Deno.test("evaluate: Ctrl-C exits 130 with what is there, and the same command goes on from there", () =>
  inFolder(async (folder) => {
    const stop = new AbortController();
    const first = serverWith(none);
    let count = 0;
    const ended = await run(folder, {
      values: { json: true },
      signal: stop.signal,
      send(request) {
        if (request.url.endsWith("completions") && ++count === 12) stop.abort();
        return first.send(request);
      },
    });
    const shared = JSON.parse(ended.stdout);
    assert.equal(shared.partial, true);
    assert.ok(shared.columns.alone.n >= 8 && shared.columns.alone.n < 12, ended.stdout);
    assert.match(ended.stderr, /the same command goes on from there/);
    assert.equal(ended.code, 130);
    assert.equal(partialFiles(folder).length, 1);
    const second = serverWith(none);
    const { code, stderr, stdout } = await run(folder, { values: { json: true }, send: second.send });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Goes on with 1[12] answers/);
    assert.equal(JSON.parse(stdout).columns.alone.n, 36);
    assert.ok(second.asked.filter((path) => path.endsWith("completions")).length <= 36);
    assert.deepEqual(partialFiles(folder), []);
  }));

Deno.test("evaluate asks before requests leave this machine", () =>
  inFolder(async (folder) => {
    const values = { upstream: "https://models.example/v1" };
    const refused = serverWith(none);
    const { code, stderr } = await run(folder, { values, send: refused.send });
    assert.equal(code, 2);
    assert.match(stderr, /Nothing was sent\. Add --yes/);
    assert.ok(!refused.asked.some((path) => path.endsWith("completions")));
    const questions: string[] = [];
    const agreed = await run(folder, {
      values,
      send: serverWith(none).send,
      ask: (question) => (questions.push(question), "y"),
    });
    assert.equal(agreed.code, 0);
    assert.deepEqual(questions, ["Send these requests to models.example? [y/N]"]);
  }));

Deno.test("evaluate compares two configurations, and a configuration with itself", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(
      join(folder, "a.yaml"),
      `upstreams: [{ name: local, url: "${URL_HERE}", dry_run: true }]\n`,
    );
    await Deno.writeTextFile(join(folder, "b.yaml"), `upstreams: [{ name: local, url: "${URL_HERE}" }]\n`);
    const { send } = serverWith(text);
    const { stdout } = await run(folder, {
      values: { compare: ["a.yaml"], json: true },
      positionals: ["b.yaml"],
      send,
    });
    const { columns } = JSON.parse(stdout);
    assert.deepEqual(columns, { "a.yaml": { k: 9, n: 36 }, "b.yaml": { k: 36, n: 36 } });
    const same = await run(folder, { values: { compare: ["a.yaml", "a.yaml"], json: true }, send });
    assert.equal(JSON.parse(same.stdout).recommended, null);
    assert.equal((await run(folder, { values: { compare: ["a.yaml"] }, send })).code, 2);
  }));

Deno.test("evaluate: each configuration asks its own server, and an evaluation doesn't delete another one's answers", () =>
  inFolder(async (folder) => {
    const asked = new Set<string>();
    for (const [name, port] of [["a", 11], ["b", 12]]) {
      await Deno.writeTextFile(
        join(folder, `${name}.yaml`),
        `upstreams: [{ name: x, url: "http://127.0.0.1:${port}/v1" }]\n`,
      );
    }
    const { send } = serverWith(none);
    const { stderr, stdout } = await run(folder, {
      values: { compare: ["a.yaml"], json: true },
      positionals: ["b.yaml"],
      send(request) {
        if (request.method === "POST") asked.add(new URL(request.url).port);
        return send(request);
      },
    });
    assert.ok(asked.has("11") && asked.has("12"), [...asked].join());
    assert.match(
      stderr,
      /a\.yaml asks http:\/\/127\.0\.0\.1:11\/v1\nb\.yaml asks http:\/\/127\.0\.0\.1:12\/v1/,
    );
    assert.deepEqual(JSON.parse(stdout).columns["b.yaml"], { k: 36, n: 36 });
    const stopped = async (temperature: string) => {
      const stop = new AbortController();
      let count = 0;
      await run(folder, {
        values: { temperature },
        signal: stop.signal,
        send(request) {
          if (request.url.endsWith("completions") && ++count === 5) stop.abort();
          return send(request);
        },
      });
    };
    await stopped("0");
    await stopped("1");
    assert.equal(partialFiles(folder).length, 2);
  }));

Deno.test("evaluate sends as many requests as it promises, and stops early at the end of a quota", () =>
  inFolder(async (folder) => {
    const server = serverWith(none);
    const { stderr } = await run(folder, { send: server.send });
    const sent = server.asked.filter((path) => path.endsWith("completions")).length;
    assert.equal(Number(/: (\d+) requests/.exec(stderr)?.[1]), sent);
    let asked = 0;
    const limited = await run(folder, {
      async send(request) {
        if (request.method === "GET" || ++asked <= 10) return await serverWith(none).send(request);
        return Response.json({ error: { message: "quota" } }, { status: 403 });
      },
    });
    assert.ok(asked < 20, `${asked} requests`);
    assert.match(limited.stderr, /stopped answering, also requests without tools: 403: quota/);
    assert.equal(partialFiles(folder).length, 1);
  }));

Deno.test("evaluate --suite judges recorded answers, as the engine gave them and through Dragoman", () =>
  inFolder(async (folder) => {
    const tools = [{
      type: "function",
      function: {
        name: "read_file",
        parameters: { type: "object", properties: { path: { type: "string" } } },
      },
    }];
    const call = { name: "read_file", arguments: { path: "./a.md" } };
    const text = `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
    const native = {
      role: "assistant",
      content: null,
      tool_calls: [{
        id: "call1",
        type: "function",
        function: { name: "read_file", arguments: JSON.stringify(call.arguments) },
      }],
    };
    const line = (change: object) =>
      JSON.stringify({ id: "1", dialect: "hermes", tools, text, expect: { calls: [call] }, ...change });
    await Deno.mkdir(join(folder, "suite"));
    await Deno.writeTextFile(
      join(folder, "suite", "cases.jsonl"),
      [
        line({}),
        line({ message: native }),
        line({ expect: { calls: [{ ...call, arguments: { path: "a.md" } }] } }),
        line({ tools: null }),
        line({ dialect: "words", text: "It is 42.", expect: { calls: [] } }),
      ].join("\n"),
    );
    const { stdout, code } = await run(folder, {
      values: { suite: "suite", json: true, quick: undefined, upstream: undefined },
      send: () => Promise.reject(new Error("nothing is sent")),
    });
    const { columns, tasks, battery } = JSON.parse(stdout);
    assert.deepEqual(columns, { alone: { k: 2, n: 5 }, dragoman: { k: 4, n: 5 } });
    assert.deepEqual([tasks.hermes, battery], [{ alone: "1/4", dragoman: "3/4" }, "suite"]);
    assert.equal(code, 1);
  }));

Deno.test("evaluate judges the form of calls in answers to one's own requests", () =>
  inFolder(async (folder) => {
    const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }];
    const lines = ["one", "two"].map((content) =>
      JSON.stringify({ messages: [{ role: "user", content }], tools })
    );
    await Deno.writeTextFile(join(folder, "requests.jsonl"), lines.join("\n"));
    const { stdout, code } = await run(folder, { values: { capture: ["requests.jsonl"], json: true } });
    assert.equal(code, 0);
    const { tasks, battery } = JSON.parse(stdout);
    assert.deepEqual([battery, Object.keys(tasks)], ["captured", ["capture_1", "capture_2"]]);
    await Deno.writeTextFile(join(folder, "empty.json"), "{}");
    const empty = await run(folder, { values: { capture: ["empty.json"] } });
    assert.equal(empty.code, 2);
    assert.match(empty.stderr, /has no chat requests/);
  }));

Deno.test("evaluate keeps what no rule reads for derive, and fails under a share", () =>
  inFolder(async (folder) => {
    const { send } = serverWith({ unread_notation: FAULTS.unread_notation! });
    const { stdout, code } = await run(folder, { send });
    assert.equal(code, 1);
    assert.match(stdout, /derive --answers evaluate\.unread\.jsonl/);
    const [line = ""] = (await Deno.readTextFile(join(folder, "evaluate.unread.jsonl"))).split("\n");
    assert.match(JSON.parse(line).text, /@@RUN read_file@@/);
    const ask = (share: string) =>
      run(folder, { send: serverWith(none).send, values: { "fail-under": share } });
    const [high, low] = [await ask("0.95"), await ask("0.8")];
    assert.deepEqual([high.code, low.code], [1, 0]);
    assert.match(
      high.stdout,
      /lower end of the .*interval .* 0\.904: exit code 1\. With 36 answers it is at most 0\.904/,
    );
    assert.match(low.stdout, /0\.904: exit code 0/);
  }));

Deno.test("evaluate states what is wrong with its flags and with the server", () =>
  inFolder(async (folder) => {
    const codes = await Promise.all([
      run(folder, { values: { thorough: true } }),
      run(folder, { values: { concurrency: "many" } }),
      run(folder, { positionals: ["x"] }),
      run(folder, { values: { upstream: undefined } }),
      run(folder, { send: () => Promise.reject(new TypeError("connection refused")) }),
      run(folder, {
        send: () => Promise.resolve(new Response("{}", { status: 401 })),
        values: { model: "m" },
      }),
    ]);
    assert.deepEqual(codes.map(({ code }) => code), [2, 2, 2, 2, 2, 2], JSON.stringify(codes));
    assert.match(codes[4]!.stderr, /The model server at http:\S+ doesn't answer/);
    assert.equal(evaluate.name, "evaluate");
  }));

Deno.test("evaluate names the code, the thing and the next step of each failure", () =>
  inFolder(async (folder) => {
    const { send } = serverWith(none);
    await Deno.mkdir(join(folder, "taken"));
    await Deno.writeTextFile(join(folder, "empty.json"), "{}");
    const refusing = (request: Request) =>
      request.method === "GET" ? send(request) : Promise.resolve(new Response("no model", { status: 404 }));
    const failures: readonly (readonly [Running, RegExp, RegExp])[] = [
      [{ send: refusing }, /upstream_refuses\].*The model server refuses a plain request: /, /--model/],
      [
        { values: { html: "taken" } },
        /file_unwritable\].*Cannot write taken: it is a folder/,
        /existing folder/,
      ],
      [{ values: { html: "no/a.html" } }, /file_unwritable\].*no\/a\.html: its folder/, /existing folder/],
      [{ values: { save: "empty.json" } }, /file_unwritable\].*Cannot write empty\.json/, /existing folder/],
      [{ values: { capture: ["no.jsonl"] } }, /file_unreadable\].*no\.jsonl: it does not exist/, /spelling/],
      [{ values: { capture: ["empty.json"] } }, /wrong_value\].*empty\.json has no chat/, /copy the body/],
      [
        { positionals: ["collect", "no"], values: { html: "t.html" } },
        /file_unreadable\].*Cannot read no: it does not exist/,
        /spelling/,
      ],
      [
        { positionals: ["collect", "."], values: { html: "t.html" } },
        /wrong_value\].*empty\.json isn't an evaluation/,
        /evaluate --save/,
      ],
    ];
    for (const [running, what, next] of failures) {
      const { code, stderr } = await run(folder, running);
      assert.notEqual(code, 0, stderr);
      assert.match(stderr, what);
      assert.match(stderr, next);
    }
    const stop = new AbortController();
    await run(folder, {
      signal: stop.signal,
      send(request) {
        if (request.url.endsWith("completions")) stop.abort();
        return send(request);
      },
    });
    const [partial = ""] = partialFiles(folder);
    await Deno.remove(join(folder, partial));
    await Deno.mkdir(join(folder, partial));
    const { code, stderr } = await run(folder, {});
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /file_unreadable\].*Cannot read evaluate\.partial\.[\da-f]{8}\.jsonl: it is a folder/,
    );
  }));

const RECORDED = "../shared/conformance";
const recorded = await Array.fromAsync(Deno.readDir(RECORDED)).catch(() => []);

Deno.test({
  name: "evaluate --suite: recorded texts without a call stay without one, except where a reason is listed",
  ignore: recorded.length === 0,
  fn: () =>
    inFolder(async (folder) => {
      const listed = new Set(differences.flatMap(({ cases }) => cases));
      const files = recorded.filter(({ name }) => name.endsWith(".jsonl"));
      const texts = await Promise.all(files.map(({ name }) => Deno.readTextFile(join(RECORDED, name))));
      const lines = texts.flatMap((text) => text.split("\n")).filter((line) =>
        line !== "" && JSON.parse(line).expect.calls?.length === 0
      );
      const lostOf = async (name: string, own: readonly string[]) => {
        await Deno.mkdir(join(folder, name));
        await Deno.writeTextFile(join(folder, name, "cases.jsonl"), own.join("\n"));
        const { stdout } = await run(folder, {
          values: { suite: name, json: true, quick: undefined, upstream: undefined },
          send: () => Promise.reject(new Error("nothing is sent")),
        });
        const { findings } = JSON.parse(stdout) as { findings: { id: string; left: number }[] };
        return findings.find(({ id }) => id === "lost_through_dragoman")?.left ?? 0;
      };
      const isListed = (line: string) => listed.has(JSON.parse(line).id);
      assert.equal(await lostOf("listed", lines.filter(isListed)), listed.size);
      assert.equal(await lostOf("others", lines.filter((line) => !isListed(line))), 0);
    }),
});
