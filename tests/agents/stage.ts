/**
 * One run of an agent: a scripted model, the real proxy before it or not, and a fresh home that is gone afterwards.
 *
 * @module
 */
import { join, relative } from "node:path";
import { builtInService } from "../support/built_in.ts";
import { startProgram } from "../support/program.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import {
  type Arrived,
  type Script,
  type ScriptedUpstream,
  startUpstream,
} from "../support/scripted_upstream.ts";
import type { Agent } from "./agent.ts";
import { agentFolder, packagesOf, programOf } from "./folder.ts";
import { type Ran, runAgent } from "./process.ts";
import { PROMPT } from "./scenario.ts";

/** What answers an agent. */
export interface Player {
  script(request: Arrived): Script;
}

export interface Play {
  readonly agent: Agent;
  /** Without the proxy, the agent asks the model itself. */
  readonly isThroughProxy: boolean;
  /** Whether the proxy is a process of its own: `serve --upstream URL`, without a file. */
  readonly isServed?: boolean;
  /** Settings of the upstream in the proxy's configuration. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  /** Other settings in it. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The size of the model's context, which the agent's settings state. */
  readonly contextTokens?: number | undefined;
  /** How long the agent may run. */
  readonly limitMs?: number | undefined;
  /** Makes the model. `folder` is the agent's working directory; the model can put files into it. */
  cast(folder: string): Player | ScriptedUpstream;
}

/** What one run came to. */
export interface Played extends Ran {
  /** Path below the working directory → the file's text. */
  readonly files: ReadonlyMap<string, string>;
  /** What the model was asked. */
  readonly requests: readonly Arrived[];
}

/** An agent's name in the title of a test. */
export function titleOf({ name, variant }: Agent): string {
  return [packagesOf(name)[0] ?? name, variant].filter(Boolean).join(", ");
}

/** Runs an agent once. */
export async function stage(
  { agent, isThroughProxy, isServed = false, upstream: settings, config: more, limitMs, contextTokens, cast }:
    Play,
): Promise<Played> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "dragoman_agent_" }));
  try {
    const folder = join(home, "work");
    await Deno.mkdir(folder);
    const modules = join(home, "node_modules");
    await Deno.symlink(join(agentFolder(agent.name), "node_modules"), modules);
    const player = cast(folder);
    await using upstream = "script" in player ? startUpstream((request) => player.script(request)) : player;
    const own = { name: "local", url: upstream.url, ...settings };
    const config = testConfig(undefined, { upstreams: [own], ...more });
    await using proxy = isServed
      ? await serve(upstream.url, home)
      : await startProxy(await builtInService(config));
    const url = isThroughProxy ? `${proxy.origin}/v1` : upstream.url;
    const origin = url.slice(0, -"/v1".length);
    const room = {
      home,
      folder,
      program: programOf(agent.name),
      modules,
      url,
      origin,
      prompt: PROMPT,
      contextTokens,
    };
    const ran = await runAgent({ ...await agent.launch(room), limitMs }, room);
    if (agent.ownFolder) {
      await Deno.remove(join(folder, agent.ownFolder), { recursive: true }).catch(() => {});
    }
    return { ...ran, files: new Map(await readFiles(folder, folder)), requests: upstream.requests };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** The program as a person starts it for one server. */
async function serve(url: string, home: string) {
  const folder = join(home, "proxy");
  await Deno.mkdir(folder);
  const program = startProgram(folder, ["serve", "--port", "0", "--upstream", url]);
  const base = await program.until(/http:\S+\/v1(?=\n)/);
  await program.until(/upstream answers/);
  return {
    origin: base.slice(0, -"/v1".length),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

async function readFiles(folder: string, root: string): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) files.push(...await readFiles(path, root));
    else files.push([relative(root, path), await Deno.readTextFile(path)]);
  }
  return files;
}

/** What a person needs to see of a run that went wrong. */
export function report({ code, printed, refused, requests }: Played): string {
  const ended = code === undefined ? "had to be stopped" : `ended with ${code}`;
  return [
    `The agent ${ended}; the model was asked ${requests.length} times`,
    `Hosts it was kept from: ${refused.join(", ") || "none"}`,
    `The end of what it printed:\n${printed.slice(-3000)}`,
  ].join("\n");
}
