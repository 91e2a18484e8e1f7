/**
 * SIGHUP: a service reloads and keeps its open answers; a program whose terminal closes ends like after Ctrl-C.
 *
 * @module
 */
import assert from "node:assert/strict";
import { findProgram } from "../support/find_program.ts";
import { WORKERS } from "../support/process_stage.ts";
import { startProgram } from "../support/program.ts";
import { PROGRAM } from "../support/program_file.ts";
import { TOOLS } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import {
  chunked,
  type RawRequest,
  startRawUpstream,
  STREAM_HEAD,
  textEvent,
} from "../support/raw_upstream.ts";
import { freePort, isOpen } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CHAT = postText(
  "/v1/chat/completions",
  JSON.stringify({ model: "m", stream: true, tools: TOOLS, messages: [{ role: "user", content: "hi" }] }),
);

function makeFolder(url: string): Promise<string> {
  const config = `upstreams: [{ name: local, url: "${url}" }]\nlimits: { drain_timeout_ms: 300 }\n`;
  return temporaryFolder({ "dragoman.yaml": config });
}

/** Whether a process has this in its command line. */
async function isRunning(words: string): Promise<boolean> {
  for await (const { name } of Deno.readDir("/proc")) {
    const line = /^\d+$/.test(name) && await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line && line.includes(words)) return true;
  }
  return false;
}

for (const workers of WORKERS) {
  Deno.test({
    name: `SIGHUP reloads a service and ends no answer, with ${workers} workers`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const asked = Promise.withResolvers<RawRequest>();
      await using upstream = await startRawUpstream((request) => {
        request.write(STREAM_HEAD + chunked(textEvent("words")));
        // The server also asks for the models.
        if (request.text.startsWith("POST")) asked.resolve(request);
      });
      const folder = await makeFolder(upstream.url);
      const port = freePort();
      const program = startProgram(folder, ["serve", "--port", `${port}`, "--workers", `${workers}`]);
      try {
        await program.until(/is ready/);
        const client = await connectRaw(`http://127.0.0.1:${port}`);
        client.send(CHAT);
        const { write } = await asked.promise;
        await client.until(/words/);
        program.kill("SIGHUP");
        await program.until(/Reloaded: nothing changed/);
        program.kill("SIGHUP");
        await program.until(/Reloaded: nothing changed[^]*Reloaded: nothing changed/);
        write(
          chunked(textEvent("more", { finish_reason: "stop" })) + chunked("data: [DONE]\n\n") + "0\r\n\r\n",
        );
        await client.until(/more[^]*\[DONE\]/);
        client.close();
        program.interrupt();
        const { code, stderr } = await program.end();
        assert.equal(code, 0, stderr);
      } finally {
        program.kill();
      }
    },
  });
}

for (const workers of WORKERS) {
  Deno.test({
    name:
      `SIGHUP while a service starts ends nothing and reloads once it has started, with ${workers} workers`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const port = freePort();
      const folder = await makeFolder("http://127.0.0.1:1");
      const program = startProgram(folder, ["serve", "--port", `${port}`, "--workers", `${workers}`]);
      try {
        // Between the open port and the last line of the start, as often as possible.
        for (let isReady = false; !isReady;) {
          isReady = await Promise.race([
            program.until(/is ready/).then(() => true),
            wait(5).then(() => false),
          ]);
          if (await isOpen(port)) program.kill("SIGHUP");
        }
        await program.until(/Reloaded: nothing changed/);
        program.interrupt();
        const { code, stderr } = await program.end();
        assert.equal(code, 0, stderr);
      } finally {
        program.kill();
      }
    },
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test({
  name: "a terminal that closes ends the server after its open answers",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    if (await findProgram("script") === undefined) return console.log(`SKIPPED ${t.name}: no script`);
    await using upstream = await startRawUpstream((request) =>
      request.write(STREAM_HEAD + chunked(textEvent("words")))
    );
    const folder = await makeFolder(upstream.url);
    const port = freePort();
    const words = [Deno.execPath(), "run", "--allow-all", PROGRAM, "serve", "--port", `${port}`];
    // `script` has the terminal's other end: without it, the terminal hangs up.
    const terminal = new Deno.Command("script", {
      args: ["-qc", `exec ${words.join(" ")}`, "/dev/null"],
      cwd: folder,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const printed = terminal.stdout.cancel();
    try {
      const origin = `http://127.0.0.1:${port}`;
      for (let left = 500;; left--) {
        const response = await fetch(`${origin}/health`).catch(() => undefined);
        await response?.body?.cancel();
        if (response?.ok) break;
        assert.ok(left > 0, "the server doesn't start");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const client = await connectRaw(origin);
      client.send(CHAT);
      await client.until(/words/);
      terminal.kill("SIGKILL");
      assert.match(await client.rest(), /words[^]*"code":"server_stopped"/);
      for (let left = 500; await isRunning(`--port\0${port}`); left--) {
        assert.ok(left > 0, "the server doesn't end");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      await terminal.status;
      await printed;
    }
  },
});
