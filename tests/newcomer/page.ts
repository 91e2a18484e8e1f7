/**
 * The page `src/docs/get_started.md`, from what a newcomer sees.
 *
 * @module
 */
import type { Story } from "./play.ts";

export function newcomerPage(story: Story): string {
  const console = (...parts: string[]) => `\`\`\`console\n${parts.join("\n")}\n\`\`\``;
  return `# From an empty folder to a working agent

A test writes this page: it types these commands in an empty folder with an empty home, without a clone, and they print what
you see here, in about a minute. Package, agent and proxy are real. Only the model is scripted, and it writes its calls in a
dialect that no rule reads. The first command is the one of the site's opening. The test replaces paths, ports and times;
\`npx dragoman\` is short for \`npx -y --package=FILE dragoman\`, with the [file that you build](guide/install.md).

## 1. Configure and start

${console(story.init, story.serve)}

## 2. Connect an agent

In another terminal, with the variables that \`init\` printed:

${console(story.install, story.leak)}

The agent shows markup instead of writing the file: the call reached it as text. The proxy's terminal shows why, and what to do:

${console(story.nearMiss)}

So does the page at \`http://127.0.0.1:8787/_dragoman/\`:

![The page lists the request, with a near miss](pictures/newcomer.png)

## 3. Teach Dragoman the dialect

The command that the terminal printed writes a rule from the recorded answer and proves it:

${console(story.derive)}

The running proxy uses the rule at once:

${console(story.reload)}

## 4. The agent works

${console(story.works)}

And in the proxy's terminal:

${console(story.line)}

Next: [a trial run without changing any answer](guide/trial_run.md), or [rules in detail](../../rules/writing_rules.md).
`;
}
