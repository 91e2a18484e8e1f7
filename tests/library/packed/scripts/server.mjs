/** A model server that prints its calls as text: first one call, then two, then text. It knows nothing of tools. */
import { createServer } from "node:http";

const call = (path) =>
  `<tool_call>\n<function=read_file>\n<parameter=path>\n${path}\n</parameter>\n</function>\n</tool_call>`;

/** The answers, by the number of the model's earlier messages. */
const ANSWERS = [`I'll look.\n${call("a.txt")}`, `${call("b.txt")}\n${call("c.txt")}`, "All is read."];

/** The paths that a client must have read, in order. */
export const PATHS = ["a.txt", "b.txt", "c.txt"];

/** Starts a server; `seen` are the requests' bodies. `answer` gives the text for a request instead. */
export async function startServer({ answer } = {}) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") {
      return response.end(JSON.stringify({ object: "list", data: [{ id: "local", object: "model" }] }));
    }
    if (!request.url.endsWith("/v1/chat/completions")) return response.writeHead(404).end("{}");
    const body = JSON.parse(text);
    seen.push(body);
    const step = body.messages.filter(({ role }) => role === "assistant").length;
    const content = answer?.(body) ?? ANSWERS[Math.min(step, 2)];
    const identity = { id: "chatcmpl-1", created: 1, model: "local" };
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    if (!body.stream) {
      response.setHeader("content-type", "application/json");
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      return response.end(JSON.stringify({ ...identity, object: "chat.completion", choices, usage }));
    }
    response.setHeader("content-type", "text/event-stream");
    const write = (fields) =>
      response.write(
        `data: ${JSON.stringify({ ...identity, object: "chat.completion.chunk", ...fields })}\n\n`,
      );
    const delta = (delta, finish_reason = null) => write({ choices: [{ index: 0, delta, finish_reason }] });
    delta({ role: "assistant", content: "" });
    for (const piece of content.match(/[\s\S]{1,5}/g)) {
      delta({ content: piece });
      if (body.model === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
      if (response.destroyed) return;
    }
    delta({}, "stop");
    write({ choices: [], usage });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    root: `http://127.0.0.1:${port}`,
    seen,
    close: () => (server.closeAllConnections?.(), server.close()),
  };
}
