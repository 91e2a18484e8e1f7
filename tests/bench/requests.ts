/**
 * What a request costs before its answer begins: the processor time of the whole proxy process for each request with
 * 20 tools and a short whole answer, next to the least proxy that parses and writes bodies (`json`). `raw` is Dragoman before a
 * server that it asks for the prompt of each chat first, as it does with vLLM.
 *
 *     deno run --allow-all tests/bench/requests.ts [--before FOLDER] [--rounds N]
 *
 * `--before FOLDER` measures another checkout of Dragoman in the same run. Needs Linux, like `proxy.ts`.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../support/server_process.ts";

const ROOT = join(import.meta.dirname!, "..", "..");
const TOOLS = 20;
/** The bytes of a request → how many requests one round measures. */
const SIZES = new Map([[20_000, 60], [5_000_000, 4]]);
/**
 * The most processor time of a request, as ratios: on Anthropic's wire to the chat route, and there to `json`. The chat
 * route sends the client's own bytes; another wire has to write and encode a body, which counts if it is large.
 */
const RATIOS_MAXIMUM = new Map([
  [20_000, { wire: 1.25, chat: Infinity }],
  [5_000_000, { wire: 1.75, chat: 1.8 }],
]);

/** The most processor time that asking for a prompt adds to a request of 20 kB, which is about 5,000 tokens. */
const RAW_MILLISECONDS_MAXIMUM = 20;

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "The absolute path of the file" },
    content: { type: "string", description: "The text to write" },
    line: { type: "integer" },
    mode: { type: "string", enum: ["append", "replace"] },
  },
  required: ["path"],
};
const NAMES = Array.from({ length: TOOLS }, (_, index) => `tool_${index}`);
const DESCRIPTION = "Works on one file of the project. ".repeat(6);

/** Turns of a coding agent: a question, a call, its result. They repeat until the request has its size. */
const RESULT = 'export function add(a: number, b: number) {\n  return "a" + b; // näher\n}\n'.repeat(20);
const ARGUMENTS = { path: "/project/source/add.ts", mode: "replace" };

const CHAT_TURN = (id: string) => [
  { role: "user", content: "Read the file, please." },
  {
    role: "assistant",
    content: "I read it.",
    tool_calls: [{
      id,
      type: "function",
      function: { name: "tool_1", arguments: JSON.stringify(ARGUMENTS) },
    }],
  },
  { role: "tool", tool_call_id: id, content: RESULT },
];
const ANTHROPIC_TURN = (id: string) => [
  { role: "user", content: "Read the file, please." },
  {
    role: "assistant",
    content: [{ type: "text", text: "I read it." }, {
      type: "tool_use",
      id,
      name: "tool_1",
      input: ARGUMENTS,
    }],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: RESULT }] },
];

interface Route {
  readonly path: string;
  readonly turn: (id: string) => readonly unknown[];
  readonly fields: Readonly<Record<string, unknown>>;
}

const ROUTES: Readonly<Record<string, Route>> = {
  chat: {
    path: "/v1/chat/completions",
    turn: CHAT_TURN,
    fields: {
      tools: NAMES.map((name) => ({
        type: "function",
        function: { name, description: DESCRIPTION, parameters: PARAMETERS },
      })),
    },
  },
  anthropic: {
    path: "/v1/messages",
    turn: ANTHROPIC_TURN,
    fields: {
      max_tokens: 1000,
      tools: NAMES.map((name) => ({ name, description: DESCRIPTION, input_schema: PARAMETERS })),
    },
  },
};

function bodyOf({ turn, fields }: Route, bytes: number): string {
  const write = (messages: readonly unknown[]) => JSON.stringify({ model: "bench", messages, ...fields });
  const last = { role: "user", content: "Go on." };
  const turnLength = JSON.stringify(turn("call_0000")).length;
  const turns = Math.max(1, Math.round((bytes - write([last]).length) / turnLength));
  return write([
    ...Array.from({ length: turns }, (_, index) => turn(`call_${`${index}`.padStart(4, "0")}`)).flat(),
    last,
  ]);
}

async function send(server: ServerProcess, path: string, body: string): Promise<void> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  if (!response.ok || !text.includes("Done.")) throw new Error(`${server.name}: ${text.slice(0, 500)}`);
}

/** The processor time of one request, in milliseconds. */
async function measure(server: ServerProcess, route: Route, [bytes, count]: readonly [number, number]) {
  const body = bodyOf(route, bytes);
  const before = await server.scheduledMilliseconds();
  for (let sent = 0; sent < count; sent++) await send(server, route.path, body);
  return (await server.scheduledMilliseconds() - before) / count;
}

/** Where the upstream is a server that shows the prompts of chats and completes them. */
const RENDERING = "/rendering";

async function answerRendering(request: Request, path: string): Promise<Response> {
  if (path === "/v1/models") return Response.json({ data: [{ id: "bench", owned_by: "vllm" }] });
  if (path === "/version") return Response.json({ version: "0.32.0" });
  const length = (await request.arrayBuffer()).byteLength;
  // About four characters are a token.
  if (path === "/tokenize") {
    const tokens = Array.from({ length: length / 4 }, (_, at) => at % 50_000);
    return Response.json({ tokens, max_model_len: 10_000_000 });
  }
  if (path === "/detokenize") return Response.json({ prompt: "assistant\n" });
  const choices = [{ index: 0, text: "Done.", finish_reason: "stop" }];
  return Response.json({ id: "1", model: "bench", choices });
}

/** An upstream that gives one short answer, or the least proxy that parses and writes both bodies. */
function servePeer(port: number, upstream: string | undefined): void {
  const answer = {
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "bench",
    choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
  };
  Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(RENDERING)) {
      return await answerRendering(request, pathname.slice(RENDERING.length));
    }
    if (request.method === "GET") return new Response("ok");
    if (upstream === undefined) {
      await request.arrayBuffer();
      return Response.json(answer);
    }
    const response = await fetch(`${upstream}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(await request.json()),
    });
    return Response.json(await response.json());
  });
}

async function run({ before, rounds }: { readonly before: string | undefined; readonly rounds: number }) {
  const servers: ServerProcess[] = [];
  const start = async (name: string, folder: string, args: readonly string[]) => {
    const server = await ServerProcess.start({ name, folder, args });
    servers.push(server);
    return server;
  };
  try {
    const upstream = await start("upstream", ROOT, [import.meta.filename!, "peer", "PORT"]);
    await start("json", ROOT, [import.meta.filename!, "peer", "PORT", upstream.url]);
    const checkouts = { ...(before === undefined ? {} : { before }), dragoman: ROOT, raw: ROOT };
    for (const [name, folder] of Object.entries(checkouts)) {
      const { tasks } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
      const engineFlags = String(tasks.start.command).split(" ").filter((flag) =>
        flag.startsWith("--v8-flags")
      );
      const serve = [
        "serve",
        "--port",
        "PORT",
        "--upstream",
        `${upstream.url}${name === "raw" ? RENDERING : ""}/v1`,
      ];
      const server = await start(name, folder, [...engineFlags, join(folder, "main.ts"), ...serve]);
      await server.isLoaded();
    }
    const best = new Map<string, number>();
    // The first round warms every server up; it doesn't count.
    for (let round = 0; round <= rounds; round++) {
      for (const size of SIZES) {
        // In turns from both ends, because what is measured later meets a busier machine.
        const measured = servers.slice(1);
        for (const server of round % 2 === 0 ? measured : measured.toReversed()) {
          for (const [name, route] of Object.entries(ROUTES)) {
            if (server.name === "raw" && name !== "chat") continue;
            const milliseconds = await measure(server, route, size);
            const key = `${name} ${size[0] / 1000} kB ${server.name}`;
            if (round > 0) best.set(key, Math.min(best.get(key) ?? Infinity, milliseconds));
          }
        }
      }
    }
    console.log(`\nProcessor time for each request with ${TOOLS} tools, best of ${rounds}`);
    for (const [key, milliseconds] of best) {
      const json = best.get(key.slice(0, key.lastIndexOf(" ") + 1) + "json")!;
      console.log(
        `  ${key.padEnd(28)} ${milliseconds.toFixed(2).padStart(7)} ms ${
          (milliseconds / json).toFixed(2)
        } × json`,
      );
    }
    const raw = best.get("chat 20 kB raw")! - best.get("chat 20 kB dragoman")!;
    console.log(
      `\nThe prompt of a chat of 20 kB costs ${raw.toFixed(2)} ms more, bound ${RAW_MILLISECONDS_MAXIMUM}`,
    );
    if (raw > RAW_MILLISECONDS_MAXIMUM) Deno.exitCode = 1;
    for (const [bytes, maximum] of RATIOS_MAXIMUM) {
      const size = `${bytes / 1000} kB`;
      const own = best.get(`chat ${size} dragoman`)!;
      const wire = best.get(`anthropic ${size} dragoman`)! / own;
      const chat = own / best.get(`chat ${size} json`)!;
      console.log(
        `\n${size}: Anthropic's wire ${wire.toFixed(2)} × the chat route, bound ${maximum.wire}; ` +
          `the chat route ${chat.toFixed(2)} × json, bound ${maximum.chat}`,
      );
      if (wire > maximum.wire || chat > maximum.chat) Deno.exitCode = 1;
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

const [role, port, upstream] = Deno.args;
if (role === "peer") servePeer(Number(port), upstream);
else {
  const { values } = parseArgs({
    args: Deno.args,
    options: { before: { type: "string" }, rounds: { type: "string", default: "10" } },
  });
  await run({ before: values.before, rounds: Number(values.rounds) });
}
