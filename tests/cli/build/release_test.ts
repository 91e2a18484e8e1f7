import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import project from "../../../deno.json" with { type: "json" };
import { findVersionProblems } from "../../../src/cli/build/release_versions.ts";
import { canInstall } from "../../support/can_install.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { copyProject } from "../../support/project_copy.ts";

const CHANGELOG = "# Changelog\n\n## 1.2.0\n\n### Added\n\n- More.\n\n## 1.1.0\n\n- First.\n";

function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries({ "CHANGELOG.md": CHANGELOG, ...files }));
  return findVersionProblems(texts, { program: "1.2.0", deno: "2.9.6" })
    .map(({ where, what, fix }) => `${where}: ${what}; ${fix}`);
}

Deno.test("findVersionProblems names each file of another version with its line and a fix", () => {
  assert.deepEqual(
    problemsOf({ "README.md": "npx -y deno@2.9.6\ndragoman-1.2.0.tgz", "a.md": "deno@latest" }),
    [],
  );
  assert.deepEqual(
    problemsOf({
      "README.md": "npx -y deno@2.9.5 task start\n\ndragoman-1.1.0.tgz",
      "rules/compiled.json": '{"v":1,"by":"dragoman 1.1.0",',
      "newcomer.md": "Dragoman 1.1.0 is ready.",
    }),
    [
      "README.md:3: `dragoman-1.1.0.tgz` has a different version from 1.2.0; write 1.2.0",
      "README.md:1: `deno@2.9.5` has a different version from 2.9.6; build with that version, or write 2.9.6",
      'rules/compiled.json:1: `"by":"dragoman 1.1.0"` has a different version from 1.2.0; run `deno task generate` for 1.2.0',
      "newcomer.md:1: `Dragoman 1.1.0 is ready` has a different version from 1.2.0; write 1.2.0",
    ],
  );
});

Deno.test("findVersionProblems wants the newest section of the CHANGELOG for the version, with an entry", () => {
  const fix = "name the section of this release `## 1.2.0`, or set `version` in deno.json";
  assert.deepEqual(problemsOf({ "CHANGELOG.md": "# Changelog\n" }), [
    `CHANGELOG.md:1: The newest section is missing, not \`1.2.0\`; ${fix}`,
  ]);
  assert.deepEqual(problemsOf({ "CHANGELOG.md": `# Changelog\n\n## Unreleased\n\n- New.\n${CHANGELOG}` }), [
    `CHANGELOG.md:3: The newest section is \`Unreleased\`, not \`1.2.0\`; ${fix}`,
  ]);
  assert.deepEqual(problemsOf({ "CHANGELOG.md": "# Changelog\n\n## 1.2.0\n\n## 1.1.0\n\n- First.\n" }), [
    "CHANGELOG.md:3: The section has no entry; write what changes for users",
  ]);
});

Deno.test({
  name:
    "the release task ends in a dry run of both packages and Homebrew's formula, and stops at what isn't committed",
  ignore: !IS_THOROUGH,
  async fn(t) {
    if (!await canInstall()) return console.log(`SKIPPED ${t.name}: npm cannot reach its registry`);
    await using copy = await copyProject();
    // Between releases the newest section has no version.
    await copy.run(
      `sed -i 's/^## Unreleased$/## ${project.version}/' CHANGELOG.md && git commit -qam name --allow-empty`,
    );
    const { code, printed } = await copy.run("npx -y deno@2 task release --skip-tests");
    assert.equal(code, 0, printed);
    for (const name of ["dragoman", "dragoman-engine"]) {
      assert.ok(printed.includes(`+ ${name}@${project.version}\n`), printed);
      assert.ok(printed.includes(`npm publish dist/release/${name}-${project.version}.tgz\n`), printed);
    }
    const output = join(copy.folder, "dist", "release");
    const [formula, archive] = await Promise.all([
      Deno.readTextFile(join(output, "dragoman.rb")),
      Deno.readFile(join(output, `dragoman-${project.version}.tgz`)),
    ]);
    assert.ok(formula.includes(`sha256 "${createHash("sha256").update(archive).digest("hex")}"`), formula);

    await Deno.writeTextFile(join(copy.folder, "rules/apertus.yaml"), "# Changed\n", { append: true });
    const dirty = await copy.run("npx -y deno@2 task release --skip-tests");
    assert.equal(dirty.code, 1, dirty.printed);
    assert.match(dirty.printed, /^rules\/apertus\.yaml: The file differs from the last commit/m);

    // A test that fails ends the release before anything is built.
    await copy.run(
      "git checkout -q rules && echo 'Deno.exit(1)' > tests/run.ts && rm -r dist && git commit -qam failing",
    );
    const failing = await copy.run("npx -y deno@2 task release");
    assert.equal(failing.code, 1, failing.printed);
    assert.match(failing.printed, /^tests: A test failed$/m);
    await assert.rejects(Deno.stat(join(copy.folder, "dist")));
  },
});
