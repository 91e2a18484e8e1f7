/** Asks for the answers of chat completions in the prompt, if need be, and translates them. @module */
import { readRequest } from "../../chat/message/request.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { translateWhole } from "../../chat/pipeline/whole.ts";
import { translateBody } from "./body.ts";
import { callableTools, isEventStream, isWebStream, promptedBody, remark, responseLike } from "./exchange.ts";
import type { Connection } from "./options.ts";
import type { FetchArguments, Sent } from "./sent.ts";
import { withBody } from "./with_body.ts";
import { answerOptions } from "./stages.ts";

/** The arguments of `fetch` with the request's tools in the prompt. */
export async function promptedArguments(sent: Sent, connection: Connection): Promise<FetchArguments> {
  const body = await promptedBody(sent.body, connection);
  return body === undefined ? sent.args : withBody(sent, body);
}

/**
 * A response with its calls. An error, the answer to a request that offers no tool, and a body that isn't a web stream are passed
 * on.
 */
export async function translateResponse(
  response: Response,
  { body, connection }: { readonly body: string; readonly connection: Connection },
): Promise<Response> {
  const request = readRequest(body);
  const offered = request && callableTools(request);
  if (request === undefined || offered === undefined || !response.ok || response.body === null) {
    return response;
  }
  if (!isWebStream(response.body)) {
    remark(
      connection,
      "passed_on",
      "the body of the answer isn't a web stream, so it was passed on unchanged",
    );
    return response;
  }
  const isWhole = !isEventStream(response);
  const options = answerOptions(request, offered, { ...connection, isWhole });
  if (!isWhole) {
    return responseLike(response, translateBody(response.body, new StreamedAnswer(options)));
  }
  const text = await response.text();
  return responseLike(response, translateWhole(text, options) ?? text);
}
