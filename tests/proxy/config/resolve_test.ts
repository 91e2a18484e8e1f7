import assert from "node:assert/strict";
import { type ConfigFlags, resolveConfig } from "../../../src/proxy/config/resolve.ts";
import { readConfigFile } from "../../../src/proxy/config/file.ts";

interface Given {
  readonly text?: string;
  readonly flags?: ConfigFlags;
  readonly environment?: Readonly<Record<string, string>>;
}

function resolve({ text, flags = {}, environment = {} }: Given) {
  const file = text === undefined ? undefined : { file: "dragoman.yaml", text };
  return resolveConfig({
    document: file && readConfigFile(file),
    flags,
    readEnvironment: (name) => environment[name],
  });
}

Deno.test("resolveConfig without any source listens on loopback and has no upstream", () => {
  const { config, diagnostics } = resolve({});
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(config.listen, {
    hostname: "127.0.0.1",
    port: 8787,
    open: false,
    hosts: [],
    keys: {},
    origins: [],
  });
  assert.deepEqual(config.upstreams, []);
  assert.equal(config.policy.minimum_confidence, 0.9);
});

Deno.test("resolveConfig takes an empty file and one of comments for the defaults", () => {
  for (const text of ["", "# nothing\n", "listen: {}\n"]) {
    assert.deepEqual(resolve({ text }).diagnostics, [], text);
    assert.deepEqual(resolve({ text }).config, resolve({}).config, text);
  }
});

Deno.test("resolveConfig lets a flag win over the environment, that over the file, that over the default", () => {
  const text = "listen: { hostname: 127.0.0.2, port: 1 }\nupstreams: [{ name: a, url: 'http://file/v1' }]\n";
  const environment = {
    DRAGOMAN_PORT: "2",
    DRAGOMAN_HOST: "127.0.0.3",
    DRAGOMAN_UPSTREAM: "http://environment/v1",
  };
  const flags = { port: "3", host: "127.0.0.4", upstream: "http://flag/v1" };
  const cases: [Given, number, string, string | undefined][] = [
    [{}, 8787, "127.0.0.1", undefined],
    [{ text }, 1, "127.0.0.2", "http://file/v1"],
    [{ text, environment }, 2, "127.0.0.3", "http://environment/v1"],
    [{ text, environment, flags }, 3, "127.0.0.4", "http://flag/v1"],
    [{ environment: { DRAGOMAN_PORT: "" } }, 8787, "127.0.0.1", undefined],
  ];
  for (const [given, port, hostname, url] of cases) {
    const { config, diagnostics } = resolve(given);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual([config.listen.port, config.listen.hostname], [port, hostname]);
    assert.deepEqual(config.upstreams.map((upstream) => upstream.url), url === undefined ? [] : [url]);
  }
});

Deno.test("resolveConfig names the flag or variable that has a wrong value", () => {
  const cases: [Given, string][] = [
    [{ flags: { port: "x" } }, "Cannot use `x` as the value of --port"],
    [{ flags: { port: "70000" } }, "Cannot use `70000` as the value of --port"],
    [{ flags: { port: "1.5" } }, "Cannot use `1.5` as the value of --port"],
    [{ flags: { port: "" } }, "Cannot use `` as the value of --port"],
    [{ environment: { DRAGOMAN_PORT: "-1" } }, "Cannot use `-1` as the value of DRAGOMAN_PORT"],
    [{ flags: { minimumConfidence: "90" } }, "Cannot use `90` as the value of --min-confidence"],
  ];
  for (const [given, message] of cases) {
    const found = resolve(given).diagnostics;
    assert.deepEqual(found.map((diagnostic) => [diagnostic.code, diagnostic.message]), [[
      "environment_value",
      message,
    ]]);
  }
});

Deno.test("resolveConfig lets --enable and --disable undo what the file states", () => {
  const text = "rules:\n  enable: [a, b]\n  disable: [c, d]\n";
  const { rules } = resolve({ text, flags: { enable: ["c", "x"], disable: ["a"] } }).config;
  assert.deepEqual([rules.enable, rules.disable], [["b", "c", "x"], ["d", "a"]]);
});

Deno.test("resolveConfig reads keys and warns of those that are not set", () => {
  const text = [
    "upstreams:",
    "  - { name: one, url: 'http://one/v1', key_env: KEY_ONE }",
    "  - { name: two, url: 'http://two/v1', key_env: KEY_TWO }",
    "  - { name: three, url: 'http://three/v1' }",
  ].join("\n");
  const { keys, diagnostics } = resolve({ text, environment: { KEY_ONE: " secret\n" } });
  assert.deepEqual([...keys], [["one", "secret"]]);
  assert.deepEqual(diagnostics.map(({ code, severity, location }) => [code, severity, location?.line]), [
    ["environment_missing", "warning", 3],
  ]);
});

Deno.test("resolveConfig points at wrong URLs, repeated names and unknown fields", () => {
  const text = "upstreams:\n  - { name: a, url: 'localhost:8080' }\n  - { name: a, url: 'http://x' }\n";
  assert.deepEqual(resolve({ text }).diagnostics.map(({ code, location }) => [code, location?.line]), [
    ["upstream_url", 2],
    ["duplicate_upstream", 3],
  ]);
  const [unknown] = resolve({ text: "listen:\n  prot: 1\n" }).diagnostics;
  assert.deepEqual(
    [unknown?.code, unknown?.location?.line, unknown?.help],
    ["unknown_field", 2, "did you mean `port`?"],
  );
});

Deno.test("resolveConfig locates what the file itself states", () => {
  const { locate, locateKey } = resolve({ text: "rules:\n  enable: [a]\n  confidence: { a: 1 }\n" });
  assert.equal(locate(["rules", "enable", 0])?.line, 2);
  assert.equal(locateKey(["rules", "confidence", "a"])?.line, 3);
  assert.equal(locate(["rules", "enable", 1]), undefined);
  assert.equal(resolve({}).locate(["rules"]), undefined);
});

Deno.test("resolveConfig takes --tool-mode for every upstream", () => {
  const text =
    "upstreams: [{ name: a, url: 'http://a/v1', tools: prompted }, { name: b, url: 'http://b/v1' }]\n";
  const toolsOf = (given: Given) => resolve(given).config.upstreams.map(({ tools }) => tools);
  assert.deepEqual(toolsOf({ text }), ["prompted", "auto"]);
  assert.deepEqual(toolsOf({ text, flags: { toolMode: "native" } }), ["native", "native"]);
  assert.deepEqual(toolsOf({ flags: { upstream: "http://a/v1", toolMode: "prompted" } }), ["prompted"]);
  const { diagnostics, config } = resolve({ text, flags: { toolMode: "promted" } });
  assert.deepEqual(diagnostics.map(({ code, expected }) => [code, expected]), [
    ["environment_value", "one of native, raw, prompted, auto"],
  ]);
  assert.equal(config.upstreams[0]?.tools, "prompted");
});

Deno.test("resolveConfig takes the one upstream that --upstream-name picks, and warns about no other's key", () => {
  const text =
    "upstreams: [{ name: a, url: 'http://a/v1', key_env: A }, { name: b, url: 'http://b/v1', key_env: B }]\n";
  const environment = { B: "secret" };
  const { config, keys, diagnostics } = resolve({ text, environment, flags: { upstreamName: "b" } });
  assert.deepEqual(config.upstreams.map(({ name }) => name), ["b"]);
  assert.deepEqual([...keys], [["b", "secret"]]);
  assert.deepEqual(diagnostics, []);
  const wrong = resolve({ text, flags: { upstreamName: "c" } });
  assert.deepEqual(wrong.diagnostics.map(({ code, message, expected }) => [code, message, expected]), [
    ["environment_value", "Cannot use `c` as the value of --upstream-name", "one of a, b"],
  ]);
  const none = resolve({ flags: { upstreamName: "c" } });
  assert.deepEqual(none.diagnostics.map(({ expected }) => expected), ["an upstream in the configuration"]);
});
