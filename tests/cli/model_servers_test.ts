import assert from "node:assert/strict";
import { findServers } from "../../src/cli/model_servers.ts";

/** What a local server answers. */
const ANSWERS: Readonly<Record<string, () => Response>> = {
  models: () => Response.json({ data: [{ id: "a" }, { id: "b" }, { name: "no id" }, { id: "b; rm\u001b" }] }),
  keyed: () => Response.json({ error: "key" }, { status: 401 }),
  page: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  other: () => Response.json({ hello: "world" }),
};

Deno.test("findServers finds the model servers of this machine with their models", async () => {
  const paths: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    return ANSWERS[pathname.split("/")[1]!]!();
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const local = Object.keys(ANSWERS).map((name) => [name, { name, url: `${origin}/${name}/v1` }]);
  const closed = { name: "closed", url: "http://127.0.0.1:1/v1" };
  const remote = { name: "remote", url: "https://192.0.2.1/v1" };
  const found = await findServers({ ...Object.fromEntries(local), closed, remote });
  assert.deepEqual(found, [{ server: "models", models: ["a", "b"] }, { server: "keyed", models: [] }]);
  assert.deepEqual(paths.sort(), Object.keys(ANSWERS).map((name) => `/${name}/v1/models`).sort());
});
