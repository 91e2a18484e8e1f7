/**
 * What people do wrong, and what they read about it: each message names the place and what to do next. The rows are the
 * mistakes that three people made who tried Dragoman, and their neighbors.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { runCommandLine } from "../../src/cli/cli.ts";
import { createSample } from "../../src/cli/sample/sample.ts";
import { correctBase } from "../../src/proxy/server/route.ts";
import { createServer } from "../../src/proxy/server/server.ts";
import { bracketService, testConfig } from "../support/proxy.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** A mistake on the command line or in a file. */
interface Mistake {
  /** File → text, in the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command line. */
  readonly words: string;
  readonly exit?: number;
  /** What is printed about it: the place or the thing, and the next step. */
  readonly told: readonly RegExp[];
  /** What would mislead. */
  readonly notTold?: RegExp;
}

const RULE = "rule: mine\n";

/** A rule with one mistake, checked. */
const rule = (text: string, told: readonly RegExp[], notTold?: RegExp): Mistake => ({
  files: { "mine.yaml": RULE + text },
  words: "check mine.yaml",
  exit: 1,
  told,
  ...(notTold === undefined ? {} : { notTold }),
});

/** A configuration with one mistake, checked. */
const config = (text: string, ...told: readonly RegExp[]): Mistake => ({
  files: { "dragoman.yaml": text },
  words: "check dragoman.yaml",
  exit: 1,
  told,
});

const upstream = (text: string) =>
  `upstreams:\n  - name: local\n    url: http://127.0.0.1:1/v1\n    ${text}\n`;

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "a group that nothing closes": rule(
    'body: text\npattern: "<(?:a|b)(c(?<body>…)</t>"\ncall: {tool: t, parameters: {a: $body}}\n',
    [/nothing closes this `\(`/, /mine\.yaml:3:19/, /add the `\)`/],
  ),
  "a class that nothing closes": rule('body: json\npattern: "<{tool}[ab(?<body>…)</t>"\n', [
    /nothing closes this `\[`/,
    /mine\.yaml:3:18/,
  ]),
  "an envelope with body: json": rule(
    'body: json\nenvelope: {name: [fn]}\npattern: "<t>(?<body>…)</t>"\n',
    [/`envelope` has no effect/, /write `body: envelope`/],
    /does not name a tool/,
  ),
  "JSON with the name in it": rule('body: json\npattern: "<t>(?<body>…)</t>"\n', [
    /does not name a tool/,
    /write `body: envelope`/,
  ]),
  "three dots for the hole": rule('body: json\npattern: "<{tool}>(?<body>...)</t>"\n', [/U\+2026/]),
  "a misspelled body": rule('body: jsn\npattern: "<{tool}>(?<body>…)</t>"\n', [/did you mean `json`/]),
  "a misspelled field": rule('confidense: 0.9\nbody: json\npattern: "<{tool}>(?<body>…)</t>"\n', [
    /did you mean `confidence`/,
  ]),
  "a look-behind": rule('body: json\npattern: "(?<!a)<{tool}>(?<body>…)</t>"\n', [/begins: line/]),
  "a wrong placeholder": rule('body: json\npattern: "<{name}>(?<body>…)</t>"\n', [/write \{tool\}/]),
  "an example without tools": rule(
    'body: json\npattern: "<{tool}>(?<body>…)</t>"\nexamples: [{name: a, input: "<a>{}</t>", calls: []}]\n',
    [/Missing field `offered`/, /a list of names/],
  ),
  "a rule in a file with another name": {
    files: { "other.yaml": RULE + 'body: json\npattern: "<{tool}>(?<body>…)</t>"\n' },
    words: "check other.yaml",
    exit: 1,
    told: [/rename the file to mine\.yaml/],
  },
  "two folders with a rule of one name": {
    files: {
      "rules/mine.yaml": RULE + 'body: json\npattern: "<{tool}>(?<body>…)</t>"\n',
      "more/mine.yaml": RULE + 'body: json\npattern: "<{tool}>(?<body>…)</u>"\n',
    },
    words: "check rules more",
    exit: 1,
    told: [/"mine" is defined twice/, /more\/mine\.yaml:1/, /rules\/mine\.yaml:1/],
  },
  "a tab": config("listen:\n\tport: 1\n", /dragoman\.yaml:2:1/, /indent with spaces/),
  "a key in the file": config(upstream("api_key: k"), /`api_key`/, /write `key_env: NAME`/),
  "a key in key_env": config(
    upstream("key_env: sk-0123456789abcdef"),
    /isn't the name/,
    /put it in an environment variable/,
  ),
  "the base URL under another name": config(
    "upstreams: [{name: a, base_url: 'http://h/v1'}]\n",
    /write `url`/,
  ),
  "one upstream": config("upstream: http://127.0.0.1:1/v1\n", /write `upstreams:`/),
  "the port at the top": config("port: 1\n", /write `listen: \{ port: … \}`/),
  "a misspelled section": config("listn: {}\n", /did you mean `listen`/),
  "contents at the top": config("contents: true\n", /audit: \{ contents: … \}/, /admin: \{ contents: … \}/),
  "a field that is not indented": config(
    "upstreams:\n  - name: local\nurl: http://127.0.0.1:1/v1\n",
    /belongs below `upstreams`/,
  ),
  "a mapping for a list": config("upstreams: {name: a}\n", /a list of mappings/),
  "a number as text": config('listen: {port: "1"}\n', /a whole number from 0 to 65535/),
  "a percentage for a share": config("policy: {minimum_confidence: 90}\n", /a number from 0 to 1/),
  "a misspelled value": config(upstream("tools: promted"), /did you mean `prompted`/),
  "no scheme": config(
    "upstreams: [{name: a, url: '127.0.0.1:1/v1'}]\n",
    /did you mean `http:\/\/127\.0\.0\.1:1\/v1`/,
  ),
  "a key in the URL": config("upstreams: [{name: a, url: 'http://me:pw@h/v1'}]\n", /`key_env`/),
  "an upstream twice": config(
    "upstreams: [{name: a, url: 'http://h/v1'}, {name: a, url: 'http://i/v1'}]\n",
    /"a" is defined twice/,
    /rename one/,
  ),
  "the network without a key": config("listen: {hostname: 0.0.0.0}\n", /`listen\.key_env`/),
  "the endpoint as the base URL": {
    ...config("upstreams: [{name: a, url: 'http://h/v1/chat/completions'}]\n", /write http:\/\/h\/v1/),
    exit: 0,
  },
  "an unknown rule": {
    files: { "dragoman.yaml": "rules: {enable: [shell_blok]}\n" },
    words: "serve",
    exit: 1,
    told: [/did you mean `shell_block`/, /dragoman\.yaml:1:18/],
  },
  "an unknown plugin": {
    files: { "dragoman.yaml": "plugins: [strict_validaton]\n" },
    words: "serve",
    exit: 1,
    told: [/did you mean `strict_validation`/],
  },
  "an answer for a template": {
    files: { "answer.txt": "I look.\n<call>x</call>\n" },
    words: "derive answer.txt",
    exit: 2,
    told: [/neither a chat template nor a recording/, /derive --answers answer\.txt --tools/],
  },
  "derive without a file": { words: "derive", exit: 2, told: [/`--answers FILE`/] },
  "a report of nothing": { words: "report", exit: 2, told: [/report logs\/audit\.jsonl/] },
  "a report of a missing log": {
    words: "report a.jsonl",
    exit: 1,
    told: [/it does not exist/, /serve --audit/],
  },
  "a report of another file": {
    files: { "a.log": "hello\nworld\n" },
    words: "report a.log",
    exit: 1,
    told: [/none of the 2 lines/, /audit\.file/],
  },
  "a report of a folder": { words: "report .", exit: 1, told: [/it is a folder/] },
  "a replay of a missing folder": {
    words: "replay nope",
    exit: 1,
    told: [/it does not exist/, /serve --record/],
  },
  "init a second time": {
    files: { "dragoman.yaml": "" },
    words: "init",
    exit: 1,
    told: [/file_exists/, /--config/],
  },
  "an agent that has no settings here": {
    words: "init --agent cursor --server vllm",
    exit: 2,
    told: [/Unknown agent `cursor`/, /--agent openai-sdk/],
  },
  "a server that has no name here": {
    words: "init --server koboldcpp",
    exit: 2,
    told: [/`--server http:\/\/127\.0\.0\.1:8000\/v1`/],
  },
  "no server and no agent, without a terminal": {
    words: "init --server vllm --model m",
    exit: 0,
    told: [/`init` chose/, /the agent openai-sdk: to change it, use --agent/],
  },
  "a missing configuration": {
    words: "serve --config nope.yaml",
    exit: 1,
    told: [/nope\.yaml: it does not exist/],
  },
  "a port that is none": { words: "serve --port abc", exit: 1, told: [/a whole number from 0 to 65535/] },
  "an upstream without a scheme": {
    words: "--upstream localhost:1",
    exit: 1,
    told: [/did you mean `http:\/\/localhost:1\/v1`/],
  },
  "messages without records": { words: "serve --with-messages", exit: 2, told: [/add `--record captures`/] },
  "a misspelled flag": { words: "serve --upstrm http://h", exit: 2, told: [/did you mean `--upstream`/] },
  "a misspelled verb": { words: "serv", exit: 2, told: [/did you mean `serve`/] },
  "another program's verb": { words: "start", exit: 2, told: [/did you mean `serve`/] },
  "an unknown code": { words: "explain foo", exit: 1, told: [/lists every code/] },
  "a rule that does not exist": { words: "rules show hermess", exit: 2, told: [/did you mean `hermes`/] },
  "a missing answer": { words: "trace nope.txt", exit: 1, told: [/nope\.txt: it does not exist/] },
};

for (const [title, { files = {}, words, exit, told, notTold }] of Object.entries(MISTAKES)) {
  Deno.test(`a message names ${title} and what to do`, async () => {
    const workingDirectory = await temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(workingDirectory, name)), { recursive: true });
      await Deno.writeTextFile(join(workingDirectory, name), text);
    }
    const context = createTestContext({ workingDirectory });
    const code = await runCommandLine(words.split(" "), context);
    const printed = context.printed.stdout + context.printed.stderr;
    for (const part of told) assert.match(printed, part);
    if (notTold !== undefined) assert.doesNotMatch(printed, notTold);
    if (exit !== undefined) assert.equal(code, exit, printed);
  });
}

Deno.test("a message names the base URL of a server with a URL of its own", async () => {
  const workingDirectory = await temporaryFolder();
  const context = createTestContext({ workingDirectory });
  const words = ["init", "--server", "http://models.example:9000", "--agent", "pi", "--model", "m"];
  assert.equal(await runCommandLine(words, context), 0, context.printed.stderr);
  const text = await Deno.readTextFile(join(workingDirectory, "dragoman.yaml"));
  assert.match(text, /name: remote\n {4}url: http:\/\/models\.example:9000\/v1\n/);
  assert.doesNotMatch(context.printed.stdout, /chose/);
});

Deno.test("correctBase names the base URL that a client's path shows to be wrong", () => {
  const table: Readonly<Record<string, string | undefined>> = {
    "/v1/v1/chat/completions": "/v1",
    "/v1/v1/messages": "",
    "/v1/v1beta/models/m:generateContent": "",
    "/v1/api/chat": "",
    "/v1/chat/completions/chat/completions": "/v1",
    "/v1/messages/v1/messages": "",
    "/chat/completions": "/v1",
    "/responses": "/v1",
    "/messages": "",
    "/v1/chat/completions": undefined,
    "/v1/models/v1": undefined,
    "/upstream/a/v1/chat/completions": undefined,
    "/": undefined,
  };
  for (const [path, base] of Object.entries(table)) {
    const expected = base === undefined ? undefined : `http://127.0.0.1:1${base}`;
    assert.equal(correctBase(`http://127.0.0.1:1${path}`), expected, path);
  }
});

Deno.test("a path with /v1 twice never reaches the upstream, and its answer has the base URL", async () => {
  const service = bracketService(testConfig("http://127.0.0.1:9/v1"));
  const { handle } = createServer({ service, sample: createSample({ now: () => 0 }) });
  for (const path of ["/v1/v1/chat/completions", "/v1/v1/models"]) {
    const response = await handle(new Request(`http://localhost${path}`, { method: "POST", body: "{}" }));
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [404, "not_found"], path);
    assert.match(error.message, /base URL to http:\/\/localhost\/v1:/);
  }
});
