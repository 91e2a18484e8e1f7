/**
 * The page `src/docs/get_started.md`, from what a newcomer sees.
 *
 * @module
 */
import type { Story } from "./play.ts";

export function newcomerPage(story: Story): string {
  const console = (...parts: string[]) => `\`\`\`console\n${parts.join("\n")}\n\`\`\``;
  return `# From an empty folder to a working agent

This guide takes you, in about a minute, from an empty folder to an agent whose tool calls work.

\`npx dragoman\` is short for \`npx -y --package=FILE dragoman\`, where \`FILE\` is the [package that you build](guide/install.md).
A test runs these commands in an empty folder and writes this page. Only the model is scripted: it writes its calls in a dialect
that no rule reads. Paths, ports and times are replaced.

## 1. Configure and start

${console(story.init, story.serve)}

## 2. Connect an agent

In another terminal, install an agent and run it with the variables that \`init\` printed:

${console(story.install, story.leak)}

The agent shows markup and writes no file: the call reached it as text. The proxy's terminal shows why, and what to run:

${console(story.nearMiss)}

The page at \`http://127.0.0.1:8787/_dragoman/\` shows the same:

![The page lists the request, with a near miss](pictures/newcomer.png)

## 3. Teach Dragoman the dialect

Run the command that the terminal printed. It writes a rule from the recorded answer and proves it:

${console(story.derive)}

The running proxy loads the rule at once:

${console(story.reload)}

## 4. The agent works

Ask again:

${console(story.works)}

The proxy's terminal shows the call:

${console(story.line)}

Next: [a trial run without changing any answer](guide/trial_run.md), or [rules in detail](../../rules/writing_rules.md).
`;
}
