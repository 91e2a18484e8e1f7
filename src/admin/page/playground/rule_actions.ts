/** What can be done with the edited rule: copy it, copy a link, save it. @module */
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { plural } from "../../../engine/diagnostic/figures.ts";
import type { PlaygroundSetup, SaveResult } from "../../routes/playground.ts";
import { html } from "../html.ts";
import { change, messageOf } from "../server.ts";
import type { ExampleResults, RuleCheck } from "./protocol.ts";
import { listRules } from "./rule_list.ts";

interface RuleActionsProperties {
  readonly setup: PlaygroundSetup;
  readonly rule: string;
  readonly check: RuleCheck;
  readonly examples: ExampleResults | undefined;
  readonly link: () => Promise<string>;
  readonly saved: () => void;
}

interface Done {
  readonly isSaved: boolean;
  readonly message: string;
}

type SavedRule = SaveResult & { readonly isSaved: true };

export function RuleActions({ setup, rule, check, examples, link, saved }: RuleActionsProperties) {
  const [done, setDone] = useState<Done>({ isSaved: true, message: "" });
  useEffect(() => setDone({ isSaved: true, message: "" }), [rule]);
  const copy = async (what: string, text: string) => {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    setDone({
      isSaved: isCopied,
      message: isCopied ? `${what} is copied.` : `The browser doesn't allow copying: ${text}`,
    });
  };
  const copyLink = () =>
    link().then(
      (address) => copy("The link", address),
      ({ message }: Error) => setDone({ isSaved: false, message: `${message}.` }),
    );
  const save = async () => {
    try {
      const { file, exampleCount: count } = await change<SavedRule>("rules", rule, "application/yaml");
      const passing = plural(count, "example passes", "examples pass");
      setDone({ isSaved: true, message: `Saved ${file}: ${passing}. The running proxy uses it now.` });
      saved();
    } catch (cause) {
      setDone({ isSaved: false, message: messageOf(cause) });
    }
  };
  const isThere = listRules(setup).some(({ name, isOwn }) => isOwn && name === check.name);
  const file = `${setup.folder}/${check.name}.yaml`;
  const isReady = check.name !== "" && check.diagnostics.every(({ severity }) => severity !== "error") &&
    examples?.isReadable === true &&
    examples.results.every(({ failure, errors }) => failure === undefined && errors.length === 0);
  const { saving } = setup;
  const note = !saving.isPossible
    ? `${saving.message}: ${saving.help}.`
    : !isReady
    ? check.name === ""
      ? "Choose a rule, or derive one from the answer, to edit and save it."
      : "You can save a rule once it has no errors and its examples pass."
    : check.replaces && !isThere
    ? `It replaces the shipped rule ${check.name} in this proxy.`
    : "";
  return html`
    <div class="actions">
      ${saving.isPossible && check.name !== "" && html`
        <button type="button" class="main" disabled=${!isReady} onClick=${save}>${isThere
          ? "Replace"
          : "Save as"} ${file}</button>
      `}
      <button type="button" onClick=${() => copy("The YAML", rule)}>Copy YAML</button>
      <button type="button" onClick=${copyLink}>Copy link</button>
    </div>
    <p class="quiet small">${note}</p>
    <p role="status" id="saved" class=${done.isSaved ? "good" : "bad"}>${done.message}</p>
  `;
}
