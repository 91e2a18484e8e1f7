import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { buildSite } from "../../../src/cli/build/site/site.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test({
  name: "every link and picture of the site leads to a file, and none names this machine",
  ignore: !IS_THOROUGH,
}, async (t) => {
  const folder = await temporaryFolder();
  try {
    await buildSite(folder);
  } catch (cause) {
    if (!/esbuild/i.test(String(cause))) throw cause;
    return console.log(`SKIPPED ${t.name}: the bundler isn't here and can't be downloaded`);
  }
  let links = 0;
  const names = Array.from(Deno.readDirSync(join(folder, "src/docs")), ({ name }) => `src/docs/${name}`);
  assert.ok(names.filter((name) => name.startsWith("src/docs/recipe-")).length > 10, `${names}`);
  for (
    const path of [
      "index.html",
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
  const opening = await Deno.readTextFile(join(folder, "index.html"));
  assert.ok(opening.includes("task start --upstream http://127.0.0.1:8080/v1\n</code>"));
  const sections: { address: string; title: string }[] = JSON.parse(
    await Deno.readTextFile(join(folder, "search.json")),
  );
  assert.ok(
    sections.some(({ title, address }) => title.startsWith("Wires") && address.endsWith("wires.html#gemini")),
  );
  const wires = await Deno.readTextFile(join(folder, "src/docs/reference/wires.html"));
  assert.ok(wires.includes('aria-current="page">Wires') && wires.includes('<a href="#gemini">'));
  for (const page of ["glossary", "../which_setup"]) {
    assert.match(wires, new RegExp(`<nav[^]*${page}\\.html"`), page);
  }
  const setup = await Deno.readTextFile(join(folder, "playground/playground"));
  assert.ok(!setup.includes(Deno.cwd()) && setup.includes("rules/qwen_xml.yaml"));
});
