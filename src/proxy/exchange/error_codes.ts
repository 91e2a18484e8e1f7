/** The codes of errors that Dragoman gives a client and prints on the request's line: what each means, and what to do. @module */

/** Code → its meaning. An upstream's own error has its own code, which isn't here. */
export const ERROR_CODES: Readonly<Record<string, string>> = {
  // Before a model is asked.
  not_found:
    "No route has this path. The API is under `/v1`; `dragoman serve` prints the base URL for the agent.",
  invalid_json: "The request's body isn't a JSON object. Send one, with `content-type: application/json`.",
  invalid_request: "A field in the request is missing or has the wrong type. The message names the field.",
  invalid_api_key:
    "The client key is missing, wrong, or in the URL. Send `Authorization: Bearer KEY` with a key from `listen.key_env` or `listen.keys`.",
  foreign_host:
    "The `Host` header names neither this machine nor an entry in `listen.hosts`. Add the hostname that clients use for the proxy.",
  foreign_origin:
    "A web page that isn't in `listen.origins` sent the request. Add its origin if the page may use the proxy.",
  browser_destination:
    "A browser tried to open an API address as a page. The API is for programs; open `/_dragoman/` instead.",
  rate_limit_exceeded:
    "The client key has reached a limit in `limits.per_key`. The agent can retry after the time in `Retry-After`.",
  request_too_large: "The request is longer than `limits.request_bytes_max`. Raise the limit, or send less.",
  request_broke_off:
    "The client closed the connection before the end of its request. Send the request again.",
  nested_too_deep: "A value in the request is nested too deeply. The message names it.",
  too_many_keys: "The request's JSON has too many different keys. Send a smaller request.",
  client_not_found:
    "The path names an unknown kind of client. `dragoman rules` and the startup messages list all kinds.",
  upstream_not_found: "The path or a header names an upstream that isn't in `upstreams`. Check the name.",
  model_not_found:
    "No upstream serves the requested model. Add the model's name to an upstream's `models`, or remove `models` from an upstream.",
  item_not_found:
    "The request refers to an item in an earlier answer that is no longer in memory. Configure the agent to send the whole conversation.",
  thread_not_found:
    "The request refers to a thread, but Dragoman doesn't store threads. Send the whole conversation.",
  unsupported_parameter:
    "The request refers to a conversation on the server, but Dragoman doesn't store conversations. Send all messages instead.",
  no_websocket: "The agent asked for the Responses API over a WebSocket. Use HTTP: `POST /v1/responses`.",
  not_text:
    "The upstream gets conversations as text (`chat_template`), and this one has an image, a file, or audio.",
  template_failed:
    "The upstream's `chat_template` can't render this conversation, or its endpoint didn't return a prompt. Try another template for the model.",
  unspeakable_call:
    "The dialect of `tools: prompted` can't express a call in the conversation exactly. Choose another `dialect`, such as one with JSON arguments.",
  server_unknown:
    "`tools: raw` needs to know the upstream's server software, which Dragoman couldn't identify. Set the upstream's `server`.",
  // The upstream.
  upstream_unreachable:
    "The model server doesn't accept connections. Check that the server is running, and check the host and port in the upstream's `url`.",
  connect_timeout:
    "The model server didn't accept a connection within `limits.connect_timeout_ms`. Check the host, the port, and any firewall.",
  first_byte_timeout:
    "The model server didn't begin its answer within `limits.first_byte_timeout_ms`. Raise the limit if the model needs longer.",
  silence_timeout:
    "The model server sent nothing for `limits.silence_timeout_ms` in the middle of its answer. Raise the limit if the model needs longer.",
  upstream_broke_off:
    "The model server closed the connection in the middle of its answer, often because it crashed. Check its log.",
  upstream_status: "The model server answered with an error status. The agent gets the error unchanged.",
  upstream_error:
    "The model server sent an error in an answer with status 200. The request's line shows the error, and the agent gets it.",
  upstream_unreadable:
    "The upstream answered with a web page or with text that isn't a chat answer. Check the upstream's `url`, which must end in `/v1`.",
  unreadable_type:
    "The upstream's answer is neither JSON nor a stream of events, so Dragoman passed it on unchanged. Check the upstream's `url`, which must end in `/v1`.",
  unreadable_encoding:
    "The upstream's answer is compressed in a way that Dragoman can't read, so Dragoman passed it on unchanged. Switch off the server's compression.",
  unreadable_answer:
    "The upstream's answer is neither JSON nor a stream of events. Check the upstream's `url`, which must end in `/v1`.",
  answer_too_large:
    "The answer is longer than `limits.answer_bytes_max`. If you expect such answers, raise the limit.",
  context_length_exceeded:
    "The prompt doesn't fit into the model's context. Agents that know this code compact the conversation. Otherwise, raise the server's context size.",
  no_summary: "The model was asked to summarize the conversation and wrote nothing. Send the request again.",
  cut_summary:
    "The model's summary of the conversation was cut off. Raise the server's token limit, or compact earlier.",
  // The answer.
  call_broke_off:
    "Part of a call had already been sent when the rest turned out to be unusable, so the agent must not run it. Send the request again.",
  call_cut_off:
    "A call in the answer is incomplete or can't be read, so it wasn't made. If the answer reached its token limit, raise `max_tokens`, or ask for smaller steps.",
  client_left: "The agent closed the connection before the end of the answer. No action is needed.",
  server_stopped: "Dragoman stopped before the end of the answer. Start it and send the request again.",
  internal_error:
    "An exception in Dragoman or in a plugin ended the request. The terminal has its stack; please report it.",
  worker_failed:
    "The worker that made the answer hung or failed, usually because of a plugin. The log states when; another worker replaces it.",
};
