import assert from "node:assert/strict";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import {
  recognizeServer,
  type ServerAnswer,
  serverOfHeaders,
} from "../../../src/proxy/upstream/recognize_server.ts";

const UPSTREAM = upstreamSchema.parse({ name: "local", url: "http://h:1/gate/v1" });

function models(owner: string, headers: Record<string, string> = {}): ServerAnswer {
  return { headers: new Headers(headers), body: JSON.stringify({ data: [{ id: "m", owned_by: owner }] }) };
}

/** Recognizes a server that answers at the given paths, and lists what it was asked. */
async function recognize(
  paths: Readonly<Record<string, unknown>>,
  given: { models?: ServerAnswer; key?: string; timeoutMs?: number; server?: string } = {},
) {
  const asked: string[] = [];
  const found = await recognizeServer({ ...UPSTREAM, server: given.server ?? "auto" }, {
    key: given.key,
    timeoutMs: given.timeoutMs ?? 1000,
    models: given.models,
    send(request) {
      const path = new URL(request.url).pathname;
      asked.push(path);
      assert.equal(
        request.headers.get("authorization"),
        given.key === undefined ? null : `Bearer ${given.key}`,
      );
      const answer = paths[path];
      if (answer === "silent") {
        return new Promise((_, reject) =>
          request.signal.addEventListener("abort", () => reject(new Error("aborted")))
        );
      }
      if (answer === undefined) return Promise.resolve(new Response("no", { status: 404 }));
      return Promise.resolve(new Response(typeof answer === "string" ? answer : JSON.stringify(answer)));
    },
  });
  const refusals = found?.refusals;
  return {
    server: found?.server,
    version: found?.version,
    asked,
    ...refusals === undefined ? {} : { refusals },
  };
}

Deno.test("recognizeServer takes the list of models first, and asks for nothing but the version then", async () => {
  assert.deepEqual(
    await recognize({ "/gate/props": { build_info: "b10547-749f688fc" } }, {
      models: models("llamacpp"),
      key: "k",
    }),
    { server: "llama.cpp", version: "b10547-749f688fc", asked: ["/gate/props"] },
  );
  assert.deepEqual(
    await recognize({ "/gate/version": { version: "0.28.0" } }, { models: models("vllm") }),
    {
      server: "vllm",
      version: "0.28.0",
      asked: ["/gate/version", "/gate/tokenize", "/gate/v1/chat/completions/render"],
    },
  );
  assert.deepEqual(await recognize({}, { models: models("tabbyAPI") }), {
    server: "tabby",
    version: undefined,
    asked: [],
  });
  const headers = new Headers({ server: "BaseHTTP/0.6 Python/3.12" });
  const list = { object: "list", data: [{ id: "m", object: "model" }] };
  const python = await recognize({}, { models: { headers, body: JSON.stringify(list) } });
  assert.deepEqual([python.server, python.asked], ["mlx", []]);
});

Deno.test("recognizeServer asks each server's path, next to the base URL, until one shows a sign", async () => {
  const table: [Record<string, unknown>, string, string | undefined][] = [
    [{ "/gate/props": { build_info: "b1" } }, "llama.cpp", "b1"],
    [{ "/gate/get_server_info": { tool_call_parser: null, version: "0.5" } }, "sglang", "0.5"],
    [{ "/gate/": "Ollama is running", "/gate/api/version": { version: "0.33.0" } }, "ollama", "0.33.0"],
    [{ "/gate/api/v0/models": { data: [{ compatibility_type: "gguf" }] } }, "lmstudio", undefined],
    [{ "/gate/info": { router: "text-generation-router", version: "3.3" } }, "tgi", "3.3"],
  ];
  for (const [paths, server, version] of table) {
    const found = await recognize(paths, { models: models("library") });
    assert.deepEqual([found.server, found.version], [server, version]);
  }
});

Deno.test("recognizeServer recognizes nothing in other answers, and asks each path once", async () => {
  const all = Object.fromEntries(
    ["props", "get_server_info", "", "api/v0/models", "info", "openapi.json"].map((
      path,
    ) => [`/gate/${path}`, { method: "GET" }]),
  );
  const { server, asked } = await recognize(all, { models: models("openai") });
  assert.equal(server, undefined);
  assert.deepEqual(asked, Object.keys(all));
});

Deno.test("recognizeServer asks nothing of what lists no models", async () => {
  for (const body of ["", "{}", "no JSON"]) {
    const { server, asked } = await recognize({ "/gate/props": { build_info: "b1" } }, {
      models: { headers: new Headers(), body },
    });
    assert.deepEqual([server, asked], [undefined, []]);
  }
});

Deno.test("recognizeServer takes no server of Python that isn't a model server for one", async () => {
  const headers = new Headers({ server: "BaseHTTP/0.6 Python/3.12" });
  assert.equal(serverOfHeaders(headers), undefined);
  for (
    const body of ["<title>Directory listing for /v1/</title>", "{}", '{"data":[]}', '["models"]', "list"]
  ) {
    const { server } = await recognize({}, { models: { headers, body } });
    assert.equal(server, undefined, body);
  }
});

Deno.test("recognizeServer ends in time, even if a server doesn't answer", async () => {
  const { server, asked } = await recognize({ "/gate/props": "silent" }, {
    timeoutMs: 20,
    models: models("library"),
  });
  assert.deepEqual([server, asked], [undefined, ["/gate/props"]]);
});

Deno.test("serverOfHeaders knows a server by the headers of any answer", () => {
  assert.equal(serverOfHeaders(new Headers({ server: "llama.cpp" })), "llama.cpp");
  assert.equal(serverOfHeaders(new Headers({ server: "nginx" })), undefined);
});

Deno.test("recognizeServer asks a server that is named for its version and its template only", async () => {
  const props = {
    build_info: "b10547-749f688fc",
    chat_template: "{{ raise_exception('System message must be at the beginning.') }}",
  };
  assert.deepEqual(await recognize({ "/gate/props": props }, { server: "llama.cpp" }), {
    server: "llama.cpp",
    version: "b10547-749f688fc",
    refusals: ["System message must be at the beginning."],
    asked: ["/gate/props"],
  });
  const mlx = await recognize({}, { server: "mlx" });
  assert.deepEqual([mlx.server, mlx.asked], ["mlx", []]);
});
