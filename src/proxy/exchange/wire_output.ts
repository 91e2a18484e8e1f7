/** The answer to a request of a wire, as the exchange writes it: streamed, over all attempts of one request, or whole. @module */
import type { AnswerSink } from "../../chat/event/stage.ts";
import { encodeText } from "../../chat/sse/utf8_encoder.ts";
import { StreamedWireAnswer, WholeWireAnswer } from "../../wires/answer.ts";
import type { AnswerIdentity, WireChat, WireWriter } from "../../wires/wire.ts";
import type { AnswerItems } from "./item_memory.ts";
import { endingWith } from "../transport/push_body.ts";
import { errorResponse, type HttpError, jsonResponse, refusalOf } from "../transport/respond.ts";

interface WireOutputOptions {
  readonly wire: string;
  readonly chat: WireChat;
  readonly identity: AnswerIdentity;
  /** What a later request may refer to. */
  readonly items: Pick<AnswerItems, "save">;
}

export class WireOutput {
  readonly wire: string;
  readonly #chat: WireChat;
  readonly #identity: AnswerIdentity;
  readonly #items: WireOutputOptions["items"];
  readonly #writer: WireWriter;
  readonly #streamed: StreamedWireAnswer;
  #isSaving = false;

  constructor({ wire, chat, identity, items }: WireOutputOptions) {
    this.#items = items;
    this.wire = wire;
    this.#chat = chat;
    this.#identity = identity;
    this.#writer = chat.createWriter(identity);
    this.#streamed = new StreamedWireAnswer(this.#writer);
  }

  get isStreamed(): boolean {
    return this.#chat.body.stream;
  }

  /** The first bytes of a stream. */
  begin(): Uint8Array {
    return encodeText(this.#writer.begin());
  }

  /** What keeps the connection of a stream alive now; empty if bytes that were made before have to be sent first. */
  beat(): Uint8Array {
    return encodeText(this.#isSaving ? "" : this.#streamed.beat());
  }

  /** Takes the events of a stream, or of another attempt, which continues what the client has. */
  stream(): AnswerSink {
    this.#streamed.restart();
    return this.#streamed;
  }

  /** Saves what a later request can refer to, before the last bytes are sent; undefined if there is nothing to wait for. */
  save(): Promise<void> | undefined {
    return this.#streamed.isOver ? this.#items.save() : undefined;
  }

  /** Waits for what is saved before bytes that were made are sent. */
  during(saving: Promise<void> | undefined): Promise<void> | undefined {
    if (saving === undefined) return undefined;
    this.#isSaving = true;
    return saving.finally(() => this.#isSaving = false);
  }

  respond(body: ReadableStream<Uint8Array>): Response {
    const headers = { "content-type": this.#chat.contentType, "cache-control": "no-cache" };
    return new Response(body, { headers });
  }

  /** The rest of a stream that has begun: the body of a response, or its error as the end of the stream. */
  restOf(response: Response): ReadableStream<Uint8Array> {
    const error = refusalOf(response);
    if (error === undefined && response.body !== null) return response.body;
    this.#streamed.fail(error ?? UNREADABLE);
    return endingWith(encodeText(this.#streamed.take()), this.#streamed.mustBreak);
  }

  whole(): WholeWireAnswer {
    return new WholeWireAnswer();
  }

  /** Turns an answer that does not answer the request into an error. */
  check(whole: WholeWireAnswer): void {
    if (whole.error === undefined) whole.error = this.#chat.refuseWhole?.(whole.answer);
  }

  async respondWhole({ answer, error }: WholeWireAnswer): Promise<Response> {
    if (error !== undefined) return errorResponse({ ...error, status: 502 });
    const written = this.#chat.writeWhole(answer, this.#identity);
    await this.#items.save();
    return jsonResponse(written);
  }
}

/** What the client gets if the upstream's answer isn't a chat answer. */
export const UNREADABLE: HttpError = {
  status: 502,
  type: "upstream_error",
  code: "upstream_unreadable",
  message: "The upstream's answer is not a chat answer. Check the upstream's URL, which must end in /v1",
};
