/** An MCP server on stdin and stdout with one tool, which writes a file: what the tool receives is then in the file. */
"use strict";
const fs = require("node:fs");
const process = require("node:process");
const readline = require("node:readline");

const WRITE = {
  name: "write",
  description: "Writes a file",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};

/** Method → its result. */
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "files", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [WRITE] }),
  "tools/call": ({ arguments: { path, content } }) => {
    fs.writeFileSync(path, content);
    return { content: [{ type: "text", text: "Written" }] };
  },
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  // A notification has no id and gets no answer.
  if (id === undefined) return;
  const result = METHODS[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
