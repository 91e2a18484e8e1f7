/**
 * The library from its packed file, in the runtimes and with the SDKs that it names.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "../../browser/chromium.ts";
import { findChromium } from "../../browser/find_chromium.ts";
import { packedGround } from "../../mutation/ground.ts";
import { candidates, fateOf, sample, testsOf } from "../../mutation/trial.ts";
import { examplesOf } from "../examples.ts";
import { expectedEvents } from "./expected.ts";
import { folderOf } from "./install.ts";
import { scriptsIn, takePackedModules } from "./modules.ts";
import { emptyPlace, packedFile, run, runScript, sdkPlace } from "./place.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

function programTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `packed: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

/** The types of this SDK aren't among the tests' packages. */
const LANGCHAIN = `import { ChatOpenAI } from "@langchain/openai";
import { dragomanFetch } from "dragoman-engine/fetch";
export default new ChatOpenAI({ configuration: { fetch: dragomanFetch() } });
`;

let empty: Promise<string> | undefined;

/** One folder for the tests that change nothing in it. */
function sharedPlace(): Promise<string> {
  return empty ??= emptyPlace();
}

programTest("npm installs one package into an empty folder, without dependencies", async () => {
  const folder = await sharedPlace();
  const installed = [...Deno.readDirSync(join(folder, "node_modules"))].map(({ name }) => name);
  assert.deepEqual(installed.filter((name) => !name.startsWith(".")), ["dragoman-engine"]);
  const manifest = JSON.parse(
    await Deno.readTextFile(join(folder, "node_modules/dragoman-engine/package.json")),
  );
  assert.deepEqual(
    [manifest.dependencies, manifest.peerDependencies, manifest.engines.node],
    [undefined, undefined, ">=20.19"],
  );
});

programTest("two builds are the same bytes", async () => {
  const listed = async () => {
    const { output } = await run(Deno.execPath(), [
      "run",
      "-A",
      `--config=${ROOT}deno.json`,
      `${ROOT}src/cli/build/library.ts`,
      again,
    ], ROOT);
    assert.match(output, /Wrote/);
  };
  const again = await Deno.makeTempDir();
  await listed();
  const [name = ""] = [...Deno.readDirSync(again)].map(({ name }) => name);
  assert.deepEqual(await Deno.readFile(join(again, name)), await Deno.readFile(await packedFile()));
  await Deno.remove(again, { recursive: true });
});

for (const runtime of ["node20", "node22", "bun", "deno"] as const) {
  programTest(`every check in ${runtime}`, async () => {
    const output = await runScript(runtime, "runtime.mjs", await sharedPlace());
    assert.match(output, /\b2\d passed, 0 failed/);
  });
}

for (const runtime of ["node20", "node22", "bun"] as const) {
  programTest(`require in ${runtime}`, async () => {
    const output = await runScript(runtime, "require.cjs", await sharedPlace());
    assert.deepEqual(
      JSON.parse(output.split("\n")[0]!),
      [1, "dragomanFetch", "dragomanMiddleware", "PromptError,prompted", "compileRules,isAllowedCommand"],
    );
  });
}

programTest("every check in Chromium", async () => {
  const path = await findChromium();
  if (path === undefined) return console.log("SKIPPED: Chromium isn't installed");
  await using site = serveFolder(await sharedPlace());
  await using browser = await launchChromium(path);
  const { page, troubles } = await browser.open();
  await page.goto(`${site.url}/checks.html`);
  const results = await page.evaluate(async () => {
    const load = (path: string) => import(`/node_modules/dragoman-engine/dist/${path}.js`);
    const modules = await Promise.all(
      ["mod", "shipped", "connection/fetch", "connection/ai_sdk", "prompted", "compile"].map(load),
    );
    const { checksOf } = await import("/checks.js" as string);
    const failed: string[] = [];
    const checks = checksOf(Object.assign({}, ...modules));
    for (const [name, check] of checks) {
      await Promise.resolve().then(check).catch((error) => failed.push(`${name}: ${error}`));
    }
    return { count: checks.length, failed };
  });
  assert.deepEqual(results.failed, []);
  assert.ok(results.count > 20);
  assert.deepEqual(troubles, []);
});

programTest("types: strict, without skipLibCheck and without the types of any runtime", async () => {
  const folder = await sharedPlace();
  const check = async (lib: string, module: string) => {
    const options = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noEmit",
      "--types",
      "",
      "--target",
      "es2023",
    ];
    const { code, output } = await run(
      join(folderOf("sdk7"), "node_modules/.bin/tsc"),
      [
        ...options,
        "--lib",
        lib,
        "--module",
        module,
        ...(module === "preserve" ? ["--moduleResolution", "bundler"] : []),
        "consumer.ts",
      ],
      folder,
    );
    assert.equal(code, 0, output);
  };
  for (const lib of ["es2023", "es2023,dom"]) {
    for (const module of ["nodenext", "preserve"]) await check(lib, module);
  }
});

for (const [set, runtime] of [["sdk6", "node20"], ["sdk7", "node22"]] as const) {
  for (const script of ["openai", "ai_sdk", "langchain", "anthropic", "peer"]) {
    programTest(`${script} of ${set} in ${runtime}`, async () => {
      const folder = await sdkPlace(set);
      console.log((await runScript(runtime, `${script}.mjs`, folder)).trimEnd());
      await Deno.remove(folder, { recursive: true });
    });
  }
  programTest(`the types of the SDKs of ${set} take the fetch and the middleware`, async () => {
    const folder = await sdkPlace(set);
    const tsc = join(folderOf("sdk7"), "node_modules/.bin/tsc");
    const options = [
      "--strict",
      "--noEmit",
      "--skipLibCheck",
      "--target",
      "es2023",
      "--lib",
      "es2023,dom",
      "--types",
      "",
    ];
    await Deno.writeTextFile(join(folder, "langchain_types.ts"), LANGCHAIN);
    const files = ["sdk_types.ts", "langchain_types.ts"];
    const { code, output } = await run(tsc, [...options, "--module", "nodenext", ...files], folder);
    assert.equal(code, 0, output);
    await Deno.remove(folder, { recursive: true });
  });
}

programTest("openai and LangChain in Bun", async () => {
  const folder = await sdkPlace("sdk7");
  await runScript("bun", "openai.mjs", folder);
  await runScript("bun", "langchain.mjs", folder);
  await Deno.remove(folder, { recursive: true });
});

programTest("the page's examples with SDKs", async () => {
  const folder = await sdkPlace("sdk7");
  const examples = await examplesOf();
  for (const name of ["openai", "ai-sdk"]) {
    const code = `import { startServer } from "./server.mjs";\nconst { url } = await startServer();\n` +
      examples[name]!.replace('"http://localhost:8000/v1"', "url") + "\nprocess.exit(0);\n";
    await Deno.writeTextFile(join(folder, `${name}.mjs`), code.replaceAll("example:", "the page's example:"));
    assert.match(await runScript("node22", `${name}.mjs`, folder), /All is read\./, name);
  }
  await Deno.remove(folder, { recursive: true });
});

programTest("the page's examples without a network", async () => {
  const folder = await sharedPlace();
  const examples = await examplesOf();
  const run = async (name: string, more = "") => {
    await Deno.writeTextFile(join(folder, `${name}.mjs`), `${examples[name]}\n${more}`);
    return await runScript("node20", `${name}.mjs`, folder);
  };
  const read = await run("reader");
  assert.match(
    read,
    /kind: 'text'[\s\S]*I'll read it[\s\S]*kind: 'call_start'[\s\S]*read_file[\s\S]*a\.txt[\s\S]*call_end/,
  );
  assert.match(await run("rules"), /tool: 'open'/);
  const stream = 'import { shippedRules } from "dragoman-engine/rules";\n' +
    'const text = ReadableStream.from(["<tool_call>\\n{\\"name\\": \\"f\\", ", "\\"arguments\\": {}}\\n</tool_call>"]);\n' +
    "for await (const { kind } of text.pipeThrough(callsIn({ rules: shippedRules }))) console.log(kind);\n";
  assert.match(await run("transform-stream", stream), /call_start\narguments\ncall_end/);
});

programTest("the page's example in a browser, and the worker", async () => {
  const path = await findChromium();
  if (path === undefined) return console.log("SKIPPED: Chromium isn't installed");
  const folder = await sharedPlace();
  const examples = await examplesOf();
  await Deno.writeTextFile(
    join(folder, "page.html"),
    examples["page"]!.replaceAll("./dragoman-engine/", "/node_modules/dragoman-engine/"),
  );
  // A worker has no import map.
  const worker = examples["worker"]!.replace(
    '"dragoman-engine"',
    '"/node_modules/dragoman-engine/dist/mod.js"',
  )
    .replace('"dragoman-engine/rules"', '"/node_modules/dragoman-engine/dist/shipped.js"');
  await Deno.writeTextFile(join(folder, "worker.js"), worker);
  await using site = serveFolder(folder);
  await using browser = await launchChromium(path);
  const { page, troubles } = await browser.open();
  await page.goto(`${site.url}/page.html`);
  await page.fill("#answer", '<tool_call>\n{"name": "open", "arguments": {"path": "a"}}\n</tool_call>');
  await page.waitForFunction(`document.querySelector("#calls").textContent.includes("open")`);
  const kinds = await page.evaluate(async () => {
    const worker = new Worker("/worker.js", { type: "module" });
    const events: { kind: string }[] = [];
    const done = new Promise<void>((resolve) =>
      worker.onmessage = ({ data }) => {
        events.push(...data);
        if (events.some(({ kind }) => kind === "call_end")) resolve();
      }
    );
    worker.postMessage({ begin: { tools: [{ name: "open" }] } });
    for (const character of '<tool_call>\n{"name": "open", "arguments": {}}\n</tool_call>') {
      worker.postMessage({ text: character });
    }
    worker.postMessage({ end: { truncated: false } });
    await done;
    return events.map(({ kind }) => kind);
  });
  assert.deepEqual([kinds[0], kinds.at(-1)], ["call_start", "call_end"]);
  assert.deepEqual(troubles, []);
});

/** The tests of the engine and its properties, with the code of the packed file in place of the sources. */
programTest("the engine's tests, properties and cut tests", async () => {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-packed-modules-" });
  const dist = join(await sharedPlace(), "node_modules/dragoman-engine/dist");
  const config = await takePackedModules(dist, folder);
  const properties = [
    "cuts",
    "contract",
    "held",
    "linear",
    "order",
    "ordinary",
    "plain",
    "round_trip",
    "damaged",
  ]
    .map((name) => `tests/property/matcher_${name}_test.ts`);
  const { code, output } = await run(
    Deno.execPath(),
    [
      "test",
      `--config=${config}`,
      "--no-check",
      "--allow-all",
      "--quiet",
      await engineEntry(folder),
      ...properties,
      "tests/property/least_damage_test.ts",
    ],
    ROOT,
    // All cases of the properties run with the sources.
    { DRAGOMAN_THOROUGH: "" },
  );
  assert.equal(code, 0, output.slice(-4000));
  console.log(output.trimEnd().split("\n").at(-1));
  await Deno.remove(folder, { recursive: true });
});

/** Writes one file that imports the tests of the engine, which load its modules once. */
async function engineEntry(folder: string): Promise<string> {
  const rooms = ["scan", "pattern", "json", "tool", "rule"].map((room) => `${ROOT}tests/engine/${room}`);
  const paths = rooms.flatMap((room) => scriptsIn(room, "_test.ts").map((path) => join(room, path)));
  const entry = join(folder, "engine_test.ts");
  await Deno.writeTextFile(
    entry,
    paths.map((path) => `import ${JSON.stringify(pathToFileURL(path).href)};\n`).join(""),
  );
  return entry;
}

/** A small sample of what `deno task test:mutants --packed` does, with fewer tests, so not all of them are noticed. */
programTest("the tests notice mutants of the engine in it", async () => {
  await using ground = await packedGround();
  const fates: string[] = [];
  const samples = Object.entries({ json: 2, pattern: 2, scan: 1 }).map(async ([room, count]) =>
    sample(await candidates(`src/engine/${room}`), { count, seed: 24 })
  );
  const chosen = (await Promise.all(samples)).flat();
  assert.equal(await ground.put(chosen[0]!.path, chosen[0]!.source), false, "no mutant, no change");
  for (const candidate of chosen) {
    const [mirror = [], room = []] = testsOf(candidate.path);
    fates.push(await fateOf(candidate, { ground, tests: [mirror, room], limitMs: 300_000 }));
  }
  const noticed = fates.filter((fate) => fate === "noticed" || fate === "timeout").length;
  assert.ok(noticed * 2 > fates.length, fates.join(", "));
});

programTest("every example of every rule in Node 20, in three cuts", async () => {
  const folder = await sharedPlace();
  await Deno.writeTextFile(join(folder, "expected.json"), JSON.stringify(expectedEvents()));
  const output = await runScript("node20", "examples.mjs", folder);
  assert.ok(Number.parseInt(output) > 500, output);
});

function serveFolder(folder: string) {
  const types: Readonly<Record<string, string>> = {
    html: "text/html",
    js: "text/javascript",
    json: "application/json",
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/checks.html") {
      return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    }
    if (pathname === "/favicon.ico") return new Response("");
    const body = await Deno.readFile(join(folder, pathname)).catch(() => undefined);
    const type = types[pathname.split(".").at(-1) ?? ""] ?? "text/plain";
    return new Response(body, { status: body === undefined ? 404 : 200, headers: { "content-type": type } });
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
