/** The two addresses of the playground. A rule decides what agents run, so only the page itself can save one. @module */
import type { PlaygroundSetup, SaveResult } from "./playground.ts";

export interface Playground {
  setup(): Promise<PlaygroundSetup>;
  save(text: string): Promise<SaveResult>;
}

/** The longest rule that is saved, in characters. */
const RULE_LENGTH_MAX = 64 * 1024;

/** The type of a rule's text. A form of a web page can't send it, and a script of another origin has to ask first. */
const RULE_TYPE = "application/yaml";

export const PLAYGROUND_PAGES: readonly string[] = ["GET /_dragoman/playground", "POST /_dragoman/rules"];

/** An answer before it is written. */
interface PlaygroundAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request that may see the pages; undefined if it is for another address. */
export async function answerPlayground(
  request: Request,
  path: string,
  playground: Playground,
): Promise<PlaygroundAnswer | undefined> {
  if (request.method === "POST" && path === "/rules") return await save(request, playground);
  if (request.method !== "GET" || path !== "/playground") return undefined;
  return { status: 200, body: await playground.setup() };
}

async function save(request: Request, playground: Playground): Promise<PlaygroundAnswer> {
  const site = request.headers.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") {
    return refused(403, "Only the page of this server can save a rule");
  }
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim() !== RULE_TYPE) return refused(415, `Expected the type ${RULE_TYPE}`);
  const text = await readText(request);
  if (text === undefined) {
    return refused(413, `The rule is longer than ${RULE_LENGTH_MAX} characters. Save the file yourself`);
  }
  const result = await playground.save(text);
  if (result.isSaved) return { status: 200, body: result };
  const { status, message, help, diagnostics } = result;
  return { ...refused(status, `${message}: ${help}`, diagnostics), status };
}

function refused(status: number, message: string, diagnostics?: unknown): PlaygroundAnswer {
  const error = { message, type: "admin_error", code: String(status) };
  return { status, body: { error, ...(diagnostics === undefined ? {} : { diagnostics }) } };
}

/** The body; undefined if it is too long, which isn't read to its end. */
async function readText({ body }: Request): Promise<string | undefined> {
  let text = "";
  if (body === null) return text;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > RULE_LENGTH_MAX) return undefined;
  }
  return text;
}
