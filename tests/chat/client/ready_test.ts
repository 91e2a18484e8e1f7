import assert from "node:assert/strict";
import { join } from "node:path";
import { BUILT_IN_CLIENTS } from "../../../src/chat/client/folder.ts";
import { readReadyClients, READY_CLIENTS_FILE } from "../../../src/chat/client/ready.ts";
import { readYamlFolder } from "../../../src/engine/document/load.ts";

const workingDirectory = Deno.cwd();
const ready = await Deno.readTextFile(join(BUILT_IN_CLIENTS, READY_CLIENTS_FILE));
const { files } = await readYamlFolder({ path: BUILT_IN_CLIENTS, isRequired: true }, { workingDirectory });

Deno.test("ready clients don't count for other texts, or if the file is damaged", () => {
  const [first, ...others] = files;
  assert.equal(readReadyClients([{ ...first!, text: `${first!.text}\n` }, ...others], ready), undefined);
  assert.equal(readReadyClients(others, ready), undefined);
  assert.equal(readReadyClients(files, ready.slice(0, -10)), undefined);
});
