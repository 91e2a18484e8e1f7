import assert from "node:assert/strict";
import { decodeCommand } from "../../../src/chat/render/command_entities.ts";

Deno.test("decodeCommand decodes entities once where no shell can mean them, and leaves what can be meant", () => {
  const decoded: [command: string, meant: string][] = [
    ["npm test 2&gt;&1", "npm test 2>&1"],
    ["a &amp;&amp; b &lt; c", "a && b < c"],
    ["a &amp;gt; b", "a &gt; b"],
    ["echo &quot;a &lt; b&quot; &gt; out", 'echo "a < b" > out'],
    ["echo &#39;it&apos;", "echo 'it'"],
    ['grep "&lt;b" in &gt; out', 'grep "<b" in > out'],
  ];
  for (const [command, meant] of decoded) assert.equal(decodeCommand(command), meant);
  const left = [
    "ls && cat < in > out",
    "grep '&gt;' a.html",
    'grep "&lt;b" a.html',
    'grep "&lt;b" in 2&gt;&1',
    "echo \\&gt;",
    "echo it's &gt; out",
    "cat <<EOF\n&lt;p&gt;\nEOF",
    "cat &lt;&lt;EOF\n&lt;p&gt;\nEOF",
    "curl a?b=1&copy;=2",
  ];
  for (const command of left) assert.equal(decodeCommand(command), command);
});
