/**
 * What the suite has to know of an agent: how it is set up in a fresh home and how it is started without a terminal.
 *
 * @module
 */

/** A place for one run: everything the agent may read and write. */
export interface Room {
  readonly home: string;
  /** Its working directory, below the home. */
  readonly folder: string;
  /** What runs it: Node, or its own program. */
  readonly program: string;
  /** The `node_modules` it is installed in. */
  readonly modules: string;
  /** The base URL of the model, ending in /v1. */
  readonly url: string;
  /** The same without /v1, for agents on another wire than chat completions. */
  readonly origin: string;
  /** What the person types. */
  readonly prompt: string;
  /** The size of the model's context, if it is known when the settings are written. */
  readonly contextTokens?: number | undefined;
}

/** How an agent is started. */
export interface Launch {
  /** The script, if Node runs it, and what it is given. */
  readonly args: readonly string[];
  /** Environment variables besides HOME and PATH. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** An agent under test. */
export interface Agent {
  /** Its name in agents.json. */
  readonly name: string;
  /** What sets this way of running it apart, such as `streamed`. */
  readonly variant?: string;
  /** The wire that it speaks; chat completions unless it is given. A plain model server does not answer any other. */
  readonly wire?: "anthropic" | "responses" | "gemini";
  /** Whether one dialect is enough: others on its wire try all, also without the proxy. */
  readonly isSampled?: boolean;
  /** Whether it doesn't send pictures to a model that it doesn't know. */
  readonly keepsPictures?: boolean;
  /** A folder in the working directory in which it keeps notes of its own. */
  readonly ownFolder?: string;
  /** The function with which the model has to write the file; by default any. */
  readonly writesWith?: string;
  /** Writes its settings into the room and states how it is started. */
  launch(room: Room): Promise<Launch>;
}

/** Nothing listens on the discard port: a program that the guard cannot be loaded into stays on loopback. */
const DEAD_PROXY = "http://127.0.0.1:9";

/** Environment variables that keep a program on loopback. */
export const DEAD_PROXIES = { HTTP_PROXY: DEAD_PROXY, HTTPS_PROXY: DEAD_PROXY, NO_PROXY: "127.0.0.1" };

/** The name the tests call the model by: agents look for "qwen" in it and change their prompts. */
export const MODEL = "qwen3-coder";

/** Writes a settings file as JSON, with its folders. */
export async function writeSettings(path: string, settings: unknown): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(settings, null, 2));
}
