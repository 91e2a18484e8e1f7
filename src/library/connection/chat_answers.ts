/**
 * Translates the answers of chat completions.
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { translateWhole } from "../../chat/pipeline/whole.ts";
import type { OfferedTools } from "../../engine/mod.ts";
import { translateBody } from "./body.ts";
import { isEventStream, isWebStream, responseLike } from "./exchange.ts";
import { type Connection, remark } from "./options.ts";
import { answerOptions } from "./stages.ts";

/** What a response answers, and how. */
interface ResponseTranslation {
  readonly request: ChatRequest;
  readonly offered: OfferedTools;
  readonly connection: Connection;
}

/** A response with its calls. An error, and a body that isn't a web stream, are passed on. */
export async function translateResponse(
  response: Response,
  { request, offered, connection }: ResponseTranslation,
): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  if (!isWebStream(response.body)) {
    remark(
      connection,
      "passed_on",
      "the body of the answer isn't a web stream, so it was passed on unchanged",
    );
    return response;
  }
  const options = answerOptions(request, offered, connection);
  if (isEventStream(response)) {
    return responseLike(response, translateBody(response.body, new StreamedAnswer(options)));
  }
  const text = await response.text();
  return responseLike(response, translateWhole(text, options) ?? text);
}
