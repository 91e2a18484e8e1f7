/**
 * What the suite has to know of an agent: how it is set up in a fresh home and how it is started without a terminal.
 *
 * @module
 */

/** A place for one run: everything the agent may read and write. */
export interface Room {
  /** Its HOME, fresh. */
  readonly home: string;
  /** Its working directory, below the home. */
  readonly folder: string;
  /** What runs it: Node, or its own program. */
  readonly program: string;
  /** The `node_modules` it is installed in. */
  readonly modules: string;
  /** The base URL of the model, ending in /v1. */
  readonly url: string;
  /** What the person says. */
  readonly prompt: string;
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
  /** Writes its settings into the room and says how it is started. */
  launch(room: Room): Promise<Launch>;
}

/** The name the tests call the model by: agents look for "qwen" in it and change their prompts. */
export const MODEL = "qwen3-coder";

/** Writes a settings file as JSON, with its folders. */
export async function writeSettings(path: string, settings: unknown): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(settings, null, 2));
}
