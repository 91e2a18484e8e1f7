import assert from "node:assert/strict";
import { schemaLine, schemaName } from "../../../src/cli/service/schema_line.ts";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("schemaLine names the schema by a path in the project, and by a URL elsewhere, and a configuration by a copy", async () => {
  const place = { name: "rule.schema.json", form: "source" } as const;
  assert.equal(
    await schemaLine({ ...place, folder: BUILT_IN_RULES }),
    "# yaml-language-server: $schema=rule.schema.json\n",
  );
  const url = schemaName({ ...place, folder: "/elsewhere/rules" });
  assert.ok(JSON.parse(await Deno.readTextFile(new URL(url))).properties.pattern);
  const config = { ...place, name: "dragoman.schema.json", folder: "/elsewhere" } as const;
  assert.equal(schemaName(config), "dragoman.schema.json");
});

Deno.test("schemaLine of a compiled program copies the schema next to the file", async () => {
  const folder = await temporaryFolder();
  const place = { folder, name: "dragoman.schema.json", form: "binary" } as const;
  const line = "# yaml-language-server: $schema=dragoman.schema.json\n";
  assert.deepEqual([await schemaLine(place), await schemaLine(place)], [line, line]);
  assert.ok(JSON.parse(await Deno.readTextFile(`${folder}/dragoman.schema.json`)).properties.listen);
});
