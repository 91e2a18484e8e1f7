import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { CLEAN } from "../support/native_answers.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const tools = [{ type: "function", function: { name: "write_file", parameters: WRITE_FILE_SCHEMA } }];

for (const [server, raw] of Object.entries(CLEAN)) {
  Deno.test(`a clean native answer in the shape of ${server} leaves byte for byte`, async () => {
    await using upstream = startUpstream({ raw });
    await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
    for (const [stream, expected] of [[true, raw.stream], [false, raw.body]] as const) {
      const response = await askChat(proxy.origin, { body: { tools, stream } });
      assert.equal(await response.text(), expected);
    }
  });
}
