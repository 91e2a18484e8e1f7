/** What keeps a stream of each wire alive. @module */

/** Wire → what counts as a beat in the text that a client gets. */
export const BEATS: Readonly<Record<string, RegExp>> = {
  chat: /"id":"chatcmpl-keepalive"/g,
  "chat without tools": /^: keepalive$/gm,
  anthropic: /^event: ping$/gm,
  responses: /^event: response\.in_progress$/gm,
  ollama: /"content":""\},"done":false/g,
  gemini: /(?<=^|\n\n)\n/g,
};
