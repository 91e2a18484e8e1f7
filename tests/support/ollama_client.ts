/**
 * Ollama's client. It stops reading at the last line and leaves the body open, so another reader reads to the end.
 *
 * @module
 */
import { Ollama } from "ollama";

export function ollamaClient(host: string): Ollama {
  return new Ollama({
    host,
    async fetch(...asked: Parameters<typeof fetch>) {
      const response = await fetch(...asked);
      if (response.body === null) return response;
      const [body, rest] = response.body.tee();
      rest.pipeTo(new WritableStream()).catch(() => {});
      return new Response(body, response);
    },
  });
}
