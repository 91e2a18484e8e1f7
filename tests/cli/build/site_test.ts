import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { buildSite } from "../../../src/cli/build/site/site.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("every link and picture of the site leads to a file, and none names this machine", async (t) => {
  const folder = await temporaryFolder();
  try {
    await buildSite(folder);
  } catch (cause) {
    if (!/esbuild/i.test(String(cause))) throw cause;
    return console.log(`SKIPPED ${t.name}: the bundler isn't here and can't be downloaded`);
  }
  let links = 0;
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
  assert.ok(names.filter((name) => name.startsWith("recipe-")).length > 10, `${names}`);
  for (
    const path of [
      "index.html",
      "recipes.html",
      "README.html",
      "src/docs/reference/wires.html",
      "src/README.html",
      ...names,
    ]
  ) {
    if (!path.endsWith(".html")) continue;
    const text = await Deno.readTextFile(join(folder, path));
    for (const [, address = ""] of text.matchAll(/(?:href|src)="([^":#]+)[#"]/g)) {
      links++;
      await Deno.stat(join(folder, normalize(join(dirname(path), address))));
    }
  }
  assert.ok(links > 300, `${links}`);
  // A newcomer begins with the site's one command.
  const newcomer = await Deno.readTextFile("src/docs/get_started.md");
  const [, command = ""] = /```console\n\$ (.*)/.exec(newcomer) ?? [];
  const opening = await Deno.readTextFile(join(folder, "index.html"));
  assert.ok(command !== "" && opening.includes(`<code class="language-sh">${command}\n</code>`), command);
  const setup = await Deno.readTextFile(join(folder, "playground/playground"));
  assert.ok(!setup.includes(Deno.cwd()) && setup.includes("rules/qwen_xml.yaml"));
});
