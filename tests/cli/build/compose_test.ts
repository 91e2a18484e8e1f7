/**
 * The Compose file and the configuration of `team.md`, in the layout of the image's container: each replica finds its
 * configuration and the variables that it names, and the balancers find the replicas.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { parse } from "yaml";
import { loadConfig } from "../../../src/proxy/config/load.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const ROOT = join(import.meta.dirname!, "../../..");

const TEAM = await Deno.readTextFile(join(ROOT, "src/docs/guide/team.md"));

/** The code blocks of the page. */
function blocks(kind: string): string[] {
  return [...TEAM.matchAll(new RegExp("```" + kind + "\\n([^]*?)\\n```", "g"))].map(([, text]) => text!);
}

interface ComposeService {
  readonly environment?: readonly string[];
  readonly volumes?: readonly string[];
}

const compose: { readonly services: Record<string, ComposeService> } = parse(
  blocks("yaml").find((text) => text.includes("services:"))!,
  { merge: true },
);

const configuration = blocks("yaml").find((text) => text.startsWith("listen:"))!;

/** The variables that the page's text puts into `.env`. */
const GIVEN = [...TEAM.matchAll(/`(\w+)=…`/g)].map(([, name]) => name!);

Deno.test("each replica of the Compose file starts with the page's configuration", async () => {
  const containerfile = await Deno.readTextFile(join(ROOT, "src/cli/build/Containerfile"));
  const working = [...containerfile.matchAll(/^WORKDIR (.*)$/gm)].at(-1)![1]!;
  const replicas = Object.entries(compose.services).filter(([name]) => name.startsWith("dragoman"));
  assert.equal(replicas.length, 3);
  for (const [name, { environment = [], volumes = [] }] of replicas) {
    const container = await temporaryFolder();
    await Deno.mkdir(join(container, working), { recursive: true });
    for (const volume of volumes) {
      const [from, to = ""] = volume.split(":");
      assert.equal(from, "./dragoman.yaml");
      await Deno.writeTextFile(join(container, to), configuration);
    }
    const { config, diagnostics, clientKeys } = await loadConfig({
      flags: {},
      workingDirectory: join(container, working),
      readEnvironment: (variable) =>
        environment.includes(variable) && GIVEN.includes(variable) ? "a-long-random-value" : undefined,
    });
    assert.deepEqual(diagnostics, [], name);
    assert.deepEqual([config.listen.hostname, clientKeys.length], ["0.0.0.0", 1]);
    const store = new URL(config.store.url).hostname;
    assert.ok(Object.hasOwn(compose.services, store), store);
  }
});

Deno.test("the balancers of the page know the replicas of the Compose file, and each variable is in .env", () => {
  const replicas = Object.keys(compose.services).filter((name) => name.startsWith("dragoman"));
  for (const kind of ["haproxy", "nginx"]) {
    const [text = ""] = blocks(kind);
    assert.deepEqual([...new Set(text.match(/dragoman\d(?=:8787)/g))], replicas, kind);
  }
  const wanted = Object.values(compose.services).flatMap(({ environment = [] }) => environment);
  assert.deepEqual(wanted.filter((name) => !GIVEN.includes(name)), []);
});
