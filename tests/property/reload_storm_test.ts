/**
 * Nothing that is saved can stop a running proxy, or change an answer that has begun: random mistakes in rules,
 * clients, configuration and plugins are taken into use, or not, while answers stream.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { BUILT_IN_CLIENTS } from "../../src/chat/client/folder.ts";
import { createServer } from "../../src/proxy/server/server.ts";
import { createService } from "../../src/proxy/exchange/service.ts";
import { BUILT_IN_RULES } from "../../src/engine/rule/folder.ts";
import { startReloading } from "../../src/cli/service/reload.ts";
import { loadSetup, serviceParts } from "../../src/cli/service/setup.ts";
import { mutate, seededRandom } from "../support/mutate.ts";
import { runs, SEED, tell } from "../support/fuzz.ts";
import { askChat } from "../support/proxy.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const PLUGIN = `// a plugin
export default {
  name: "mine",
  options: { words: { type: "texts", default: ["rm"], description: "Words" } },
  onCall(call: { arguments: Record<string, unknown> }, { options }: { options: { words: string[] } }) {
    const command = String(call.arguments.command ?? "");
    return options.words.some((word) => command.includes(word)) ? { refuse: "no" } : undefined;
  },
};
`;

const TEXT =
  "Before.\n<tool_call>\n<function=t>\n<parameter=a>\nb\n</parameter>\n</function>\n</tool_call>\nAfter.";

/** A model that prints half of its answer, and the rest when it is told to. */
function gatedUpstream() {
  let gate = Promise.withResolvers<void>();
  const pieces = [...TEXT].map((content) =>
    `data: ${
      JSON.stringify({
        id: "c",
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { content } }],
      })
    }\n\n`
  );
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    await request.text();
    const { promise } = gate;
    const body = ReadableStream.from(async function* () {
      const encoder = new TextEncoder();
      yield encoder.encode(pieces.slice(0, 30).join(""));
      await promise;
      for (const piece of pieces.slice(30)) yield encoder.encode(piece);
      yield encoder.encode("data: [DONE]\n\n");
    }());
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    open: () => gate.resolve(),
    close: () => void (gate = Promise.withResolvers()),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** What may be edited: path below the working directory → its good text. */
async function goodFiles(url: string): Promise<Map<string, string>> {
  const files = new Map([
    [
      "dragoman.yaml",
      `upstreams:\n  - { name: local, url: "${url}" }\nplugins: [./mine.ts]\nlimits: { plugin_timeout_ms: 500 }\n`,
    ],
    ["mine.ts", PLUGIN],
  ]);
  for (const [from, to] of [[BUILT_IN_RULES, "rules"], [BUILT_IN_CLIENTS, "rules/clients"]] as const) {
    for await (const { name, isFile } of Deno.readDir(from)) {
      if (isFile && name.endsWith(".yaml")) {
        files.set(join(to, name), await Deno.readTextFile(join(from, name)));
      }
    }
  }
  return files;
}

Deno.test("500 random mistakes in rules, clients, configuration and plugins change no running stream", async () => {
  const folder = await temporaryFolder();
  await using upstream = gatedUpstream();
  const good = await goodFiles(upstream.url);
  const write = (path: string, text: string) => Deno.writeTextFile(join(folder, path), text);
  await Deno.mkdir(join(folder, "rules", "clients"), { recursive: true });
  await write("dragoman.yaml", good.get("dragoman.yaml") ?? "");
  await write("mine.ts", PLUGIN);
  const context = createTestContext({ workingDirectory: folder });
  const setup = await loadSetup({}, context);
  assert.deepEqual(setup.diagnostics, []);
  const service = createService(serviceParts(setup));
  const server = createServer({
    service: { ...service, config: { ...service.config, listen: { ...service.config.listen, port: 0 } } },
    sample: () => Promise.resolve(new Response()),
  });
  const started = await server.start();
  assert.ok("url" in started);
  let taken = 0;
  const watch = startReloading({
    flags: {},
    context,
    setup,
    url: started.url,
    use(next) {
      taken++;
      server.swap(createService(serviceParts(next)));
    },
  });
  const ask = () =>
    askChat(started.url, { body: { stream: true } }).then(async (response) => {
      const text = await response.text();
      // Every call gets an id of its own.
      return text.replaceAll(/call_[0-9a-f]{32}/g, "call_id");
    });
  try {
    upstream.open();
    const expected = await ask();
    assert.match(expected, /"tool_calls"/);
    const random = seededRandom(SEED);
    const paths = [...good.keys()];
    const { numRuns } = runs(500);
    const EDITS = 4;
    for (let edits = 0; edits < numRuns; edits += EDITS) {
      server.swap(service);
      upstream.close();
      const running = [ask(), ask()];
      const edited = new Map<string, string>();
      for (let edit = 0; edit < EDITS; edit++) {
        // Rules and clients are many; the two others get their share.
        const path = paths[random(3) === 0 ? random(2) : random(paths.length)] ?? "";
        edited.set(path, mutate(good.get(path) ?? "", random));
      }
      for (const [path, text] of edited) await write(path, text);
      const { isReloaded, errors, diagnostics } = await watch.reload();
      assert.equal(isReloaded, errors === 0);
      for (const { message, severity } of diagnostics) assert.ok(message !== "" && severity !== "");
      upstream.open();
      for (const answer of await Promise.all(running)) {
        assert.equal(answer, expected, `changed by ${[...edited.keys()].map((path) => basename(path))}`);
      }
      for (const path of edited.keys()) {
        if (path === "dragoman.yaml" || path === "mine.ts") await write(path, good.get(path) ?? "");
        else await Deno.remove(join(folder, path));
      }
    }
    const last = await watch.reload();
    assert.deepEqual([last.isReloaded, last.diagnostics], [true, []]);
    assert.equal(await ask(), expected);
    tell("reloads", { edits: numRuns, taken });
  } finally {
    await watch.close();
    upstream.open();
    await server.drain(1000);
  }
});
