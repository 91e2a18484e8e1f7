/**
 * What an edit under a running server can't do: take away what guards access, alone and with workers, also for a worker that
 * starts later; and a pipe in a watched folder stops no reload.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { WORKERS } from "../support/process_stage.ts";
import { startProgram } from "../support/program.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { testTogether } from "../support/together.ts";

const KEY = "a-client-key-of-32-characters-or-so";
const ADMIN = "an-admin-key-of-32-characters-or-so";

/** Ends its worker. */
const CRASHING = `export default {
  name: "crashing",
  onRequest(request) {
    if (!JSON.stringify(request.messages).includes("crash")) return;
    globalThis.dispatchEvent = () => { throw new Error("boom"); };
    setTimeout(() => { throw new Error("boom"); });
  },
};`;

interface Served {
  readonly folder: string;
  /** The configuration at the start. */
  readonly config: string;
  readonly program: ReturnType<typeof startProgram>;
  write(config: string): Promise<void>;
  /** The statuses of a chat and of a page for admins, both without a key, on several connections. */
  statuses(): Promise<readonly number[]>;
  ask(content: string, key?: string): Promise<number>;
}

async function withServer(workers: number, run: (served: Served) => Promise<void>): Promise<void> {
  await using upstream = startUpstream({ text: "fine" });
  const config = `upstreams: [{ name: local, url: "${upstream.url}" }]
listen: { keys: { ann: ./ann.key } }
admin: { key_env: ADMIN_KEY }
plugins: [./crashing.js]
`;
  const folder = await temporaryFolder({
    "dragoman.yaml": config,
    "ann.key": KEY,
    "bob.key": `${KEY}-of-bob`,
    "crashing.js": CRASHING,
  });
  const port = freePort();
  Deno.env.set("ADMIN_KEY", ADMIN);
  const program = startProgram(folder, ["serve", "--port", `${port}`, "--workers", `${workers}`]);
  Deno.env.delete("ADMIN_KEY");
  const origin = `http://127.0.0.1:${port}`;
  const status = async (path: string, init: RequestInit = {}) => {
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const response = await fetch(origin + path, { ...init, client });
    await response.body?.cancel();
    return response.status;
  };
  const ask = (content: string, key?: string) =>
    status("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", ...key && { authorization: `Bearer ${key}` } },
      body: JSON.stringify({
        model: "m",
        messages: [{ role: "user", content }],
        tools: [{ type: "function", function: { name: "t" } }],
      }),
    });
  try {
    await program.until(/is ready/);
    await run({
      folder,
      config,
      program,
      write: (text) => Deno.writeTextFile(join(folder, "dragoman.yaml"), text),
      ask,
      statuses: () =>
        Promise.all(Array.from({ length: 6 }, (_, at) => at % 2 === 0 ? ask("hi") : status("/metrics"))),
    });
    program.interrupt();
    assert.equal((await program.end()).code, 0);
  } finally {
    program.kill();
  }
}

const CLOSED = [401, 401, 401, 401, 401, 401];

/** An edit that takes a guard away → what it does to the file, and what is told. */
const EDITS: Readonly<Record<string, readonly [(served: Served) => Promise<void>, RegExp]>> = {
  "the file is removed": [({ folder }) => Deno.remove(join(folder, "dragoman.yaml")), /configuration_gone/],
  "the file is moved away": [
    ({ folder }) => Deno.rename(join(folder, "dragoman.yaml"), join(folder, "old.yaml")),
    /configuration_gone/,
  ],
  "the file is emptied": [({ write }) => write(""), /configuration_gone/],
  "only a comment is left": [({ write }) => write("# upstreams: []\n"), /configuration_gone/],
  "the keys are gone": [
    ({ write, config }) => write(config.replace(/^listen.*$/m, "")),
    /access_opened[^]*client keys/,
  ],
  "the keys are gone, and it is open": [
    ({ write, config }) => write(config.replace(/^listen.*$/m, "listen: { open: true }")),
    /access_opened[^]*client keys/,
  ],
  "the admin key is gone": [
    ({ write, config }) => write(config.replace(/^admin.*$/m, "")),
    /access_opened[^]*admin key/,
  ],
  "all sections are empty": [
    ({ write }) => write("upstreams: []\nlisten: {}\nadmin: {}\n"),
    /access_opened[^]*client keys[^]*access_opened[^]*admin key/,
  ],
  "the file of a key is removed": [
    async ({ folder, program }) => {
      await Deno.remove(join(folder, "ann.key"));
      program.kill("SIGHUP");
    },
    /environment_missing/,
  ],
};

/** A guard stays, whatever an edit does, and a good file after it is taken. */
async function staysClosed(served: Served): Promise<void> {
  const { folder, config, program, write, ask, statuses } = served;
  assert.deepEqual(await statuses(), CLOSED);
  for (const [number, [name, [edit, told]]] of Object.entries(EDITS).entries()) {
    if (!IS_THOROUGH && number % 3 !== 0) continue;
    program.forget();
    await edit(served);
    await program.until(told);
    await program.until(/Not reloaded/);
    assert.deepEqual(await statuses(), CLOSED, name);
    assert.equal(await ask("hi", KEY), 200, name);
    // A good file again is taken, whatever was wrong.
    await Deno.writeTextFile(join(folder, "ann.key"), KEY);
    await write(`${config}policy: { minimum_confidence: 0.${number + 1} }\n`);
    await program.until(/Reloaded: policy/);
    assert.deepEqual(await statuses(), CLOSED, name);
  }
}

/** What an edit lets in more is named. */
async function namesWhatItLetsIn({ program, config, write }: Served): Promise<void> {
  await write(
    config.replace(
      /^listen.*$/m,
      'listen: { keys: { ann: ./ann.key, bob: ./bob.key }, origins: ["https://x.example"], hosts: [box.lan] }',
    ).replace(/^admin.*$/m, "admin: { key_env: ADMIN_KEY, contents: true }").replace(/^plugins.*$/m, ""),
  );
  const line = await program.until(/The edit grants access to: (.*)/);
  assert.equal(
    line,
    "the client key of bob, web pages of https://x.example, the host name box.lan, request text on the page, " +
      "anything that the plugin crashing blocked",
  );
}

/** A pipe in a watched folder stops nothing. */
async function reloadsBesidesPipes({ folder, program, config, write, ask }: Served): Promise<void> {
  await Deno.mkdir(join(folder, "rules"));
  for (const place of ["rules/pipe.yaml", "pipe.yaml", "pipe"]) {
    await new Deno.Command("mkfifo", { args: [join(folder, place)] }).output();
  }
  for (const value of ["0.95", "0.96"]) {
    program.forget();
    await write(`${config}policy: { minimum_confidence: ${value} }\n`);
    await program.until(/Reloaded: policy/);
    assert.equal(await ask("hi", KEY), 200);
  }
}

const laterWorkerStaysClosed = () =>
  withServer(2, async ({ program, config, write, ask, statuses }) => {
    await write("");
    await program.until(/Not reloaded/);
    const failed = program.until(/A worker cannot start/);
    let hasFailed = false;
    void failed.then(() => hasFailed = true);
    while (!hasFailed) await ask("crash", KEY).catch(() => {});
    const open = (await Promise.allSettled([statuses(), statuses()]))
      .flatMap((result) => result.status === "fulfilled" ? result.value : []);
    assert.ok(open.every((status) => status === 401), String(open));
    await write(`${config}policy: { minimum_confidence: 1 }\n`);
    await program.until(/Reloaded: policy/);
    for (;;) {
      const seen = await statuses().catch(() => undefined);
      if (seen === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
      else return assert.deepEqual(seen, CLOSED);
    }
  });

testTogether(
  "no edit opens a running server",
  Object.fromEntries([
    ...WORKERS.map((workers) => [
      `the previous configuration stays, and what an edit lets in more is named, with ${workers} workers`,
      () =>
        withServer(workers, async (served) => {
          await staysClosed(served);
          if (Deno.build.os !== "windows") await reloadsBesidesPipes(served);
          await namesWhatItLetsIn(served);
        }),
    ]),
    ...Deno.build.os === "linux" && IS_THOROUGH
      ? [[
        "a worker that starts after an edit took the guards away doesn't open the port either",
        laterWorkerStaysClosed,
      ]]
      : [],
  ]),
);
