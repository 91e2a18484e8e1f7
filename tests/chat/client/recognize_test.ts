import assert from "node:assert/strict";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { shippedClients } from "../../support/client_files.ts";
import { rooPrompt } from "../../support/prompts.ts";

const clients = shippedClients();
const ROO = rooPrompt({ hasArgs: true, hasLineCount: false });
const TASK = { role: "user", content: "<task>\nfix it\n</task>" };
const READ_FILE = { type: "function", function: { name: "read_file", parameters: { type: "object" } } };

const system = (content: unknown, role = "system"): Record<string, unknown> => ({
  messages: [{ role, content }, TASK],
});

Deno.test("recognize offers aliases of listed tools only", () => {
  const offered = recognize(system(ROO), new Headers(), clients)?.offered;
  assert.equal(offered?.resolve("write_file")?.name, "write_to_file");
  assert.equal(offered?.resolve("ask_followup")?.name, "ask_followup_question");
  assert.equal(offered?.resolve("bash")?.name, "execute_command");
  assert.equal(offered?.resolve("grep"), undefined);
  assert.equal(offered?.resolve("browser_action"), undefined);
});

Deno.test("recognize takes a forced client and still reads the tools from the request", () => {
  const plain = system(ROO.replaceAll("switch_mode", "x").replaceAll("apply_diff", "y"));
  assert.deepEqual(
    recognize(plain, new Headers(), clients, "cline")?.offered.names,
    ["read_file", "write_to_file", "execute_command", "ask_followup_question", "attempt_completion"],
  );
  assert.equal(
    recognize({ ...system(ROO), tools: [READ_FILE] }, new Headers(), clients, "roo")?.client.client,
    "roo",
  );
  assert.equal(recognize(system(ROO), new Headers(), clients, "openai"), undefined);
  assert.equal(recognize(system(ROO), new Headers(), clients, "nobody"), undefined);
});

Deno.test("recognize assumes all the tools of a client whose prompt lists none", () => {
  const custom = system("You are a careful engineer. Call tools in XML.");
  const cases: [Record<string, unknown>, string | undefined, string | undefined, string | undefined][] = [
    [custom, "RooCode/3.36.2", undefined, "roo"],
    [custom, "RooCode/3.42.0", undefined, undefined],
    [custom, "RooCode/4.1", undefined, undefined],
    [custom, "Cline/3.20.1", undefined, "cline"],
    [custom, "curl/8", undefined, undefined],
    [{ messages: [TASK] }, "RooCode/3.36.2", undefined, undefined],
    [{ messages: [TASK] }, undefined, "roo", "roo"],
    [custom, undefined, "cline", "cline"],
    [custom, undefined, "openai", undefined],
  ];
  for (const [request, agent, forced, client] of cases) {
    const headers = new Headers(agent === undefined ? {} : { "user-agent": agent });
    const found = recognize(request, headers, clients, forced);
    assert.equal(found?.client.client, client, `${agent} ${forced}`);
    if (found === undefined) continue;
    assert.equal(found.isAssumed, true);
    assert.deepEqual(found.offered.names, Object.keys(found.client.tools));
  }
});
