import assert from "node:assert/strict";
import { areAkin } from "../../../src/engine/tool/akin_names.ts";
import { offer, withoutShapes } from "../../../src/engine/tool/offered.ts";

const offered = offer(
  ["todowrite", "mcp__github__create_issue", "mcp__a__list", "mcp__b__list", "read", "read_file", "a__b__c"]
    .map((
      name,
    ) => ({ name })),
);

Deno.test("a name in another spelling is the only offered tool that it can mean", () => {
  const meant: Readonly<Record<string, string>> = {
    todo_write: "todowrite",
    TodoWrite: "todowrite",
    "todo-write": "todowrite",
    create_issue: "mcp__github__create_issue",
    "github.create_issue": "mcp__github__create_issue",
    github__create_issue: "mcp__github__create_issue",
    "mcp.github.create_issue": "mcp__github__create_issue",
    "read..commentary": "read",
    "functions.read..analysis": "read",
    "a.list": "mcp__a__list",
    "google:files:read-file": "read_file",
  };
  for (const [name, tool] of Object.entries(meant)) assert.equal(offered.nearest?.(name)?.name, tool, name);
  for (
    const name of [
      "list",
      "issue",
      "create",
      "reads",
      "write",
      "",
      "..",
      "gitlab.create_issue",
      "c.list",
      "read:",
    ]
  ) {
    assert.equal(offered.nearest?.(name), undefined, name);
  }
});

Deno.test("without shapes, a name differs from an offered one in case, hyphens and prefix at most", () => {
  const strict = withoutShapes(offered);
  for (const name of ["todo_write", "create_issue", "read..commentary"]) {
    assert.equal(strict.nearest?.(name), undefined, name);
  }
  assert.equal(strict.nearest?.("functions.Read")?.name, "read");
});

Deno.test("areAkin: separators, case, and words that one name has more", () => {
  for (
    const [one, other] of [["file_path", "path"], ["filePath", "file_path"], ["path", "target_file_path"]]
  ) {
    assert.ok(areAkin(one!, other!), `${one} ${other}`);
  }
  for (const [one, other] of [["file", "path"], ["old_path", "new_path"], ["paths", "path"], ["", "path"]]) {
    assert.ok(!areAkin(one!, other!), `${one} ${other}`);
  }
});
