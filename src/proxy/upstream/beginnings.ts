/**
 * Where a model's answers begin: inside the reasoning that its template opens in the prompt, or outside. In this order:
 *
 *     the request's word ─▶ the configuration's ─▶ what earlier answers showed ─▶ what the server's own prompt shows
 *
 * An answer with the closer of reasoning and no opener began inside; one that was expected to, and ended in peace without
 * that closer, began outside. A server that writes prompts on request is asked once for each model and each switch of its
 * template. The prompt's end is all that counts. Replicas and workers share what is known.
 *
 * @module
 */
import { inTime } from "../transport/wait.ts";
import { createHash } from "node:crypto";
import { openReasoning } from "../../chat/message/open_reasoning.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { putLast } from "../../engine/object/drop_oldest.ts";
import { fieldAt } from "../../engine/object/field_at.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { Texts } from "../store/text.ts";
import type { PromptRoute } from "./profiles/profiles.ts";

/** The fields of a request that can change the end of the prompt. */
const SWITCHES = [
  "chat_template_kwargs",
  "enable_thinking",
  "reasoning",
  "reasoning_effort",
  "think",
  "thinking",
  "thinking_budget",
] as const;

/** The number of models and switches that are remembered; the one that was learned first is forgotten first. */
const BEGINNINGS_MAX = 1000;

/** The longest switches that are remembered, in characters of JSON; with longer ones, every answer is unknown. */
const SWITCHES_LENGTH_MAX = 4096;

/** The longest wait for the server's word before an answer is translated, in milliseconds. */
const WAIT_MS = 2000;

/** How many of the prompt's last tokens are converted to text. */
const LAST_TOKENS = 24;

interface BeginningKey {
  readonly upstream: string;
  readonly url: string;
  /** The upstream's name for the model; empty for a request without one. */
  readonly model: string;
  /** The request's fields that change the end of the prompt, as JSON. */
  readonly switches: string;
}

interface Finding {
  readonly beginsInReasoning: boolean;
  /** What showed it. */
  readonly shownBy: "answer" | "server";
}

/** What is known of a model's answers. */
export type Beginning = BeginningKey & Finding;

export function beginningKey(
  request: ChatRequest,
  about: Pick<BeginningKey, "upstream" | "url" | "model">,
): BeginningKey {
  return { ...about, switches: JSON.stringify(switchesOf(request)) };
}

export class Beginnings {
  readonly #texts: Texts | undefined;
  readonly #report: ((beginning: Beginning) => void) | undefined;
  readonly #known = new Map<string, Beginning>();
  /** The questions to servers, each asked once. */
  readonly #asked = new Map<string, Promise<boolean | undefined>>();

  /** `texts`: where workers and replicas share what they know; `report` gets each new finding. */
  constructor(
    { texts, report }: { readonly texts?: Texts; readonly report?: (beginning: Beginning) => void } = {},
  ) {
    this.#texts = texts;
    this.#report = report;
  }

  entries(): readonly Beginning[] {
    return [...this.#known.values()];
  }

  /** What any replica knows; undefined if none does. Never rejects. */
  async recall(key: BeginningKey): Promise<boolean | undefined> {
    const name = nameOf(key);
    const [text] = await this.#texts?.recall([name]).catch(() => []) ?? [];
    const shared = text === undefined ? undefined : parseJson(text);
    if (isFinding(shared)) this.note({ ...key, ...shared });
    return this.#known.get(name)?.beginsInReasoning;
  }

  /** Takes a finding of this or another thread. */
  note(beginning: Beginning): void {
    const name = nameOf(beginning);
    putLast(this.#known, name, beginning, BEGINNINGS_MAX);
  }

  learn(beginning: Beginning): void {
    if (beginning.switches.length > SWITCHES_LENGTH_MAX) return;
    if (this.#known.get(nameOf(beginning))?.beginsInReasoning === beginning.beginsInReasoning) return;
    this.note(beginning);
    this.#report?.(beginning);
    // What isn't shared is learned again elsewhere.
    const { beginsInReasoning, shownBy } = beginning;
    const finding: Finding = { beginsInReasoning, shownBy };
    void this.#texts?.keep(nameOf(beginning), JSON.stringify(finding)).catch(() => {});
  }

  /** Asks the server, once; undefined if it doesn't state it. Never rejects. */
  ask(key: BeginningKey, question: () => Promise<boolean | undefined>): Promise<boolean | undefined> {
    const name = nameOf(key);
    const known = this.#asked.get(name);
    if (known !== undefined) return known;
    const asked = question().catch(() => undefined).then((begins) => {
      if (begins !== undefined) this.learn({ ...key, beginsInReasoning: begins, shownBy: "server" });
      return begins;
    });
    putLast(this.#asked, name, asked, BEGINNINGS_MAX);
    return asked;
  }
}

interface AnswerBeginningOptions {
  readonly key: BeginningKey;
  readonly beginnings: Beginnings;
  /** The word of the request or the configuration; undefined: it has to be found out. */
  readonly stated: boolean | undefined;
  /** Asks the server; undefined if it can't be asked. */
  readonly question: (() => Promise<boolean | undefined>) | undefined;
}

/** Where the answer of one request begins, and what it shows about the next ones. */
export class AnswerBeginning {
  readonly #options: AnswerBeginningOptions;
  #isInside: boolean;
  /** Resolves when it is known, or not in time. */
  readonly ready: Promise<void>;

  constructor(options: AnswerBeginningOptions) {
    this.#options = options;
    this.#isInside = options.stated ?? false;
    this.ready = options.stated === undefined ? this.#find() : Promise.resolve();
  }

  get beginsInReasoning(): boolean {
    return this.#isInside;
  }

  async #find(): Promise<void> {
    const { beginnings, key, question } = this.#options;
    const known = await beginnings.recall(key);
    if (known !== undefined || question === undefined) {
      this.#isInside = known ?? false;
      return;
    }
    this.#isInside = await inTime(beginnings.ask(key, question), WAIT_MS) ?? false;
  }

  /** Learns from a note about the answer. */
  see(reason: Reason): void {
    const { beginnings, key, stated } = this.#options;
    const shown = SHOWN_BY_NOTE[reason];
    if (stated === undefined && shown !== undefined) {
      beginnings.learn({ ...key, beginsInReasoning: shown, shownBy: "answer" });
    }
  }
}

/** What a note about an answer shows about those that follow. */
const SHOWN_BY_NOTE: Partial<Record<Reason, boolean>> = {
  reasoning_not_opened: true,
  reasoning_not_closed: false,
  reasoning_separated: false,
};

/** Whether the prompt that a server writes opens the model's reasoning; undefined if it shows none. */
export async function promptBegins(request: ChatRequest, { route, model, send }: {
  readonly route: PromptRoute;
  readonly model: string;
  readonly send: (path: string, body: string) => Promise<string | undefined>;
}): Promise<boolean | undefined> {
  const messages = [{ role: "user", content: "Hi" }];
  const asked = { ...model === "" ? {} : { model }, messages, ...switchesOf(request), ...route.fields };
  const text = await send(route.path, JSON.stringify(asked));
  const shown = text === undefined ? undefined : parseJson(text);
  const prompt = route.prompt.map((path) => fieldAt(shown, path)).find((found) => found !== undefined);
  if (typeof prompt === "string") return openReasoning(prompt) !== undefined;
  if (!Array.isArray(prompt) || route.detokenize === undefined) return undefined;
  const { path, text: at } = route.detokenize;
  const tokens = prompt.slice(-LAST_TOKENS);
  const end = await send(path, JSON.stringify({ ...model === "" ? {} : { model }, tokens }));
  const written = end === undefined ? undefined : fieldAt(parseJson(end), at);
  return typeof written === "string" ? openReasoning(written) !== undefined : undefined;
}

function switchesOf(request: ChatRequest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    SWITCHES.flatMap((field) => request[field] === undefined ? [] : [[field, request[field]]]),
  );
}

function isFinding(value: unknown): value is Finding {
  return isRecord(value) && typeof value["beginsInReasoning"] === "boolean" &&
    (value["shownBy"] === "answer" || value["shownBy"] === "server");
}

function nameOf({ upstream, url, model, switches }: BeginningKey): string {
  return createHash("sha256").update(JSON.stringify(["beginning", upstream, url, model, switches])).digest(
    "hex",
  );
}
