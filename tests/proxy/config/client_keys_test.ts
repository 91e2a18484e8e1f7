import assert from "node:assert/strict";
import { readClientKeys } from "../../../src/proxy/config/client_keys.ts";
import { configSchema } from "../../../src/proxy/config/schema.ts";

function read(listen: Record<string, unknown>, environment: Record<string, string> = {}) {
  const { found, diagnostics } = readClientKeys(configSchema.parse({ listen }).listen, {
    readEnvironment: (name) => environment[name],
    locate: () => undefined,
  });
  return { found, problems: diagnostics.map(({ code, severity }) => `${severity} ${code}`) };
}

const [ONE, TWO, THREE] = ["a-long-random-key-1", "a-long-random-key-2", "a-long-random-key-3"];

Deno.test("readClientKeys reads one key or several, of one variable or several", () => {
  assert.deepEqual(read({ key_env: "K" }, { K: ONE }), { found: [ONE], problems: [] });
  const several = read({ key_env: ["K", "L"] }, { K: ` ${ONE}, ${TWO}\n`, L: THREE });
  assert.deepEqual(several, { found: [ONE, TWO, THREE], problems: [] });
});

Deno.test("readClientKeys refuses a variable that is not set, so that nothing opens unnoticed", () => {
  for (const environment of [{}, { K: "" }, { K: " , " }]) {
    assert.deepEqual(read({ key_env: "K" }, environment).problems, ["error environment_missing"]);
  }
});

Deno.test("readClientKeys gives keys names, from variables and files, and tells who has none", () => {
  const read = (keys: Record<string, string>) =>
    readClientKeys(configSchema.parse({ listen: { key_env: "K", keys } }).listen, {
      readEnvironment: (name) => ({ K: "a-key-without-name", ALICE: ONE, SAME: ONE })[name],
      readFile: (path) => path === "keys/bob" ? `${TWO}\n${THREE}\n` : undefined,
      locate: () => undefined,
    });
  const { found, names, diagnostics } = read({ alice: "ALICE", bob: "keys/bob" });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(found, ["a-key-without-name", ONE, TWO, THREE]);
  assert.deepEqual([...names], [[ONE, "alice"], [TWO, "bob"], [THREE, "bob"]]);
  const problems = (keys: Record<string, string>) => read(keys).diagnostics.map(({ message }) => message);
  assert.deepEqual(problems({ carol: "CAROL" }), ["The client key of carol is missing: CAROL is not set"]);
  assert.deepEqual(problems({ carol: "./carol" }), [
    "The client key of carol is missing: ./carol cannot be read, or is empty",
  ]);
  assert.match(problems({ alice: "ALICE", eve: "SAME" })[0]!, /^alice and eve have the same key/);
});

Deno.test("readClientKeys warns of a key that can be guessed", () => {
  assert.deepEqual(read({ key_env: "K" }, { K: "short" }), {
    found: ["short"],
    problems: ["warning environment_value"],
  });
});

Deno.test("readClientKeys refuses to listen to the network without a key, unless it is meant", () => {
  for (const hostname of ["0.0.0.0", "::", "192.168.1.2", "proxy.lan"]) {
    assert.deepEqual(read({ hostname }).problems, ["error listen_unprotected"], hostname);
    assert.deepEqual(read({ hostname, open: true }).problems, []);
    assert.deepEqual(read({ hostname, key_env: "K" }, { K: ONE }).problems, []);
  }
  for (const hostname of ["127.0.0.1", "::1", "localhost"]) assert.deepEqual(read({ hostname }).problems, []);
});
