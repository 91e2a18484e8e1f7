import assert from "node:assert/strict";
import { join } from "node:path";
import { serve } from "../../../src/cli/serve.ts";
import { auditFile } from "../../../src/cli/service/audit_file.ts";
import { linkOut } from "../../../src/cli/service/linked_path.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { createTestContext } from "../../support/context.ts";

/** A project in a folder, and a place outside of it. */
async function withProject(
  act: (places: { project: string; outside: string }) => Promise<void>,
): Promise<void> {
  const above = await Deno.realPath(await temporaryFolder());
  const project = join(above, "project");
  const outside = join(above, "outside");
  await Deno.mkdir(project);
  await Deno.mkdir(outside);
  await act({ project, outside });
}

Deno.test("linkOut finds links that lead out of the folder, at every level, or nowhere", () =>
  withProject(async ({ project, outside }) => {
    await Deno.writeTextFile(join(outside, "profile"), "mine\n");
    await Deno.symlink(join(outside, "profile"), join(project, "audit.jsonl"));
    await Deno.symlink(outside, join(project, "logs"));
    await Deno.symlink(join(project, "missing"), join(project, "broken"));
    const cases: [string, RegExp][] = [
      [join(project, "audit.jsonl"), /audit\.jsonl is a link to .*profile, which is outside of/],
      [join(project, "logs", "a", "audit.jsonl"), /logs is a link to .*outside/],
      [join(project, "logs"), /logs is a link to/],
      [join(project, "broken"), /broken is a broken link/],
    ];
    for (const [path, expected] of cases) {
      assert.match(await linkOut(path, { folder: project }) ?? "", expected);
    }
  }));

Deno.test("linkOut lets plain paths, new paths, links within the folder and folders above it pass", () =>
  withProject(async ({ project, outside }) => {
    await Deno.writeTextFile(join(project, "today.jsonl"), "");
    await Deno.symlink(join(project, "today.jsonl"), join(project, "audit.jsonl"));
    await Deno.symlink(project, join(outside, "way"));
    const paths = [
      join(project, "audit.jsonl"),
      join(project, "today.jsonl"),
      join(project, "new", "audit.jsonl"),
      join(outside, "audit.jsonl"),
      join(outside, "way", "new.jsonl"),
    ];
    for (const path of paths) assert.equal(await linkOut(path, { folder: project }), undefined, path);
  }));

Deno.test("serve refuses an audit log and a record folder that a link leads elsewhere, and says so", () =>
  withProject(async ({ project, outside }) => {
    await Deno.writeTextFile(join(outside, "profile"), "mine\n");
    await Deno.symlink(join(outside, "profile"), join(project, "audit.jsonl"));
    await Deno.symlink(outside, join(project, "recorded"));
    await Deno.writeTextFile(join(project, "dragoman.yaml"), "audit: { file: audit.jsonl }\n");
    await Deno.writeTextFile(join(project, "none.yaml"), "{}\n");
    const cases: [Record<string, string>, string][] = [
      [{}, "audit log"],
      [{ config: "none.yaml", audit: "audit.jsonl" }, "audit log"],
      [{ config: "none.yaml", record: "recorded" }, "record folder"],
    ];
    for (const [values, what] of cases) {
      const context = createTestContext({ workingDirectory: project });
      assert.equal(await serve.run({ values: { port: "0", ...values }, positionals: [] }, context), 1);
      const { stderr } = context.printed;
      assert.ok(
        stderr.includes(`error[link_leads_out]: The ${what} is not written through a link: `),
        stderr,
      );
    }
    assert.equal(await Deno.readTextFile(join(outside, "profile")), "mine\n");
    assert.equal((await Array.fromAsync(Deno.readDir(outside))).length, 1);
  }));

Deno.test("auditFile writes nothing through a link that appears later", () =>
  withProject(async ({ project, outside }) => {
    const path = join(project, "audit.jsonl");
    const disk = auditFile({ path, keep: 1, folder: project });
    await disk.append(new TextEncoder().encode("a\n"));
    await Deno.remove(path);
    await Deno.writeTextFile(join(outside, "profile"), "mine\n");
    await Deno.symlink(join(outside, "profile"), path);
    await assert.rejects(disk.append(new TextEncoder().encode("b\n")), /which is outside of/);
    assert.equal(await Deno.readTextFile(join(outside, "profile")), "mine\n");
  }));
