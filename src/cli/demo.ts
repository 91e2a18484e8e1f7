/** The verb `demo`: sends one request as each client through proxy and sample model, and prints before and after. @module */
import { loadClients } from "../chat/client/load.ts";
import { type Config, configSchema } from "../proxy/config/schema.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { createServer } from "../proxy/server/server.ts";
import { createService } from "../proxy/exchange/service.ts";
import { loadRules } from "../engine/rule/load.ts";
import { noSettings } from "../engine/rule/read.ts";
import { createSample } from "./sample/sample.ts";
import requests from "./demo_requests.json" with { type: "json" };
import { type DemoAnswer, printAnswer, readAnswer, readWireAnswer } from "./demo_answer.ts";
import { complainOf } from "./complain.ts";
import { type CliContext, printing } from "./service/context.ts";
import type { Verb, VerbInput } from "./verb.ts";

export const demo: Verb = {
  name: "demo",
  summary: "Send a request as each kind of client through the proxy, and show the answer before and after",
  usage: "demo",
  operandsMax: 0,
  examples: ["demo"],
  options: {},
  run,
};

async function run(_input: VerbInput, context: CliContext): Promise<number> {
  const { workingDirectory } = context;
  const [rules, clients] = await Promise.all([
    loadRules({ folders: [], settings: noSettings, workingDirectory }),
    loadClients({ folders: [], workingDirectory }),
  ]);
  const diagnostics = [...rules.diagnostics, ...clients.diagnostics];
  if (diagnostics.length > 0) {
    context.stderr(printDiagnostics(diagnostics, printing(context)));
    return 1;
  }
  const sample = createSample({ now: () => Date.now() });
  const model = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, sample);
  const config = demoConfig(`http://127.0.0.1:${model.addr.port}/v1`);
  const on = rules.rules.filter(({ enabled }) => enabled);
  const service = createService({
    config,
    keys: new Map(),
    rules: on,
    program: rules.program,
    clients: clients.clients,
  });
  const proxy = createServer({ service, sample });
  try {
    const started = await proxy.start();
    if ("problem" in started) {
      complainOf({ code: "cannot_listen", ...started.problem }, context);
      return 1;
    }
    return await showAll({ model: `http://127.0.0.1:${model.addr.port}`, proxy: started.url }, context);
  } finally {
    await proxy.drain(0);
    await model.shutdown();
  }
}

function demoConfig(url: string): Config {
  return configSchema.parse({ listen: { port: 0 }, upstreams: [{ name: "sample", url }] });
}

async function showAll(origins: { model: string; proxy: string }, context: CliContext): Promise<number> {
  context.stdout(`Sample model at ${origins.model}, proxy at ${origins.proxy}\n`);
  for (const [index, { title, userAgent = "OpenAI/JS", body, wire }] of requests.entries()) {
    const send = async (url: string, asked: object): Promise<string> => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": userAgent },
        body: JSON.stringify(asked),
      });
      return await response.text();
    };
    const ask = async (origin: string): Promise<DemoAnswer> =>
      readAnswer(await send(`${origin}/v1/chat/completions`, body), { isStream: "stream" in body });
    const askOnWire = async ({ path, body }: NonNullable<typeof wire>): Promise<DemoAnswer> =>
      readWireAnswer(await send(origins.proxy + path, body));
    const [before, after] = await Promise.all([
      ask(origins.model),
      wire === undefined ? ask(origins.proxy) : askOnWire(wire),
    ]);
    context.stdout(
      printAnswer({ title: `${index + 1}. ${title}`, model: body.model, before, after }, context),
    );
  }
  context.stdout(
    `\nTo use your own model, run \`${context.command} serve --upstream http://127.0.0.1:8080/v1\`\n`,
  );
  return 0;
}
