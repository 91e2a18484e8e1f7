/**
 * The page `src/docs/get_started.md`, from what a newcomer sees.
 *
 * @module
 */
import type { Story } from "./play.ts";

export function newcomerPage(story: Story): string {
  const console = (...parts: string[]) => `\`\`\`console\n${parts.join("\n")}\n\`\`\``;
  return `# From an empty folder to a working agent

This guide takes you from an empty folder to an agent with working tool calls in about a minute.

In this guide, \`npx dragoman\` is short for \`npx -y --package=FILE dragoman\`, where \`FILE\` is the [package that you
build](guide/install.md).
This page is the output of a test that runs these commands in an empty folder. Only the model is scripted: it writes its calls in a
dialect that no rule reads. Paths, ports, and times are replaced.

## 1. Configure and start

${console(story.init, story.serve)}

## 2. Connect an agent

In another terminal, install an agent and run it with the variables that \`init\` printed:

${console(story.install, story.leak)}

The agent shows markup and doesn't write the file, because the call reached it as text. The proxy's terminal shows why, and which
command to run:

${console(story.nearMiss)}

The page at \`http://127.0.0.1:8787/_dragoman/\` shows the same:

![The page lists the request, with a near miss](pictures/newcomer.png)

## 3. Teach Dragoman the dialect

Run the command from the terminal. It writes a rule from the recorded answer and tests the rule:

${console(story.derive)}

The running proxy loads the rule immediately:

${console(story.reload)}

## 4. The agent works

Ask again:

${console(story.works)}

The proxy's terminal shows the call:

${console(story.line)}

Next, [try Dragoman without changing any answer](guide/trial_run.md), or learn [how to write a
rule](../../rules/writing_rules.md).
`;
}
