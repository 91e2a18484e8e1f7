/** The playground, all in the browser: an answer, what is found in it, and a rule that is edited next to it. @module */
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { takeHandover } from "../handover.ts";
import { html } from "../html.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";
import { AnswerPanel } from "./answer_panel.ts";
import { type DerivedInto, deriveInto } from "./derive_into.ts";
import { FoundPanel } from "./found_panel.ts";
import { freeName, listRules, NEW_NAME } from "./rule_list.ts";
import { RulePanel } from "./rule_panel.ts";
import { SAMPLE } from "./sample.ts";
import { keepState, keptState, packState, type PlayState, unpackState } from "./state.ts";
import { useEngine } from "./use_engine.ts";

/** The parameter of a link that holds everything in the playground. */
const PACKED = "s";

/** The parameter of a link from a request of the live list. */
const HANDED_OVER = "from";

/** The parameter of a link that wants a rule for the answer. */
const DERIVE = "derive";

/** The parameter of a link that wants a rule in the editor. */
const RULE = "rule";

const NOT_DERIVED: DerivedInto = { message: "" };

export function Playground({ parameters }: ViewProperties) {
  const [play, setPlay] = useState<PlayState>();
  const [revision, setRevision] = useState(0);
  const [notice, setNotice] = useState("");
  const [derived, setDerived] = useState<DerivedInto>(NOT_DERIVED);
  const [mustDerive, setMustDerive] = useState(false);
  const [wanted, setWanted] = useState("");
  const { setup, client, newest, failure, reload } = useEngine(play);
  // New parameters may be those of before: the same link, opened again.
  useEffect(() => {
    const isAsked = parameters.has(DERIVE);
    const named = parameters.get(RULE) ?? "";
    void firstContents(parameters).then(({ contents, notice }) => {
      setNotice(notice);
      setDerived(NOT_DERIVED);
      setMustDerive(isAsked);
      setWanted(named);
      setPlay(contents);
      setRevision((last) => last + 1);
    });
  }, [parameters]);
  useEffect(() => {
    if (play !== undefined) keepState(play);
  }, [play]);
  useEffect(() => {
    if (!mustDerive || setup === undefined || play === undefined) return;
    setMustDerive(false);
    void derive();
  }, [mustDerive, setup, play]);
  useEffect(() => {
    if (wanted === "" || setup === undefined || play === undefined) return;
    setWanted("");
    edit(wanted);
  }, [wanted, setup, play]);
  const change = (part: Partial<PlayState>) => {
    // What was derived belongs to the answer before, and a refusal to the rule before.
    const isOther = part.text !== undefined || part.tools !== undefined;
    const isEdited = part.rule !== undefined;
    setDerived((last) => isOther || (isEdited && last.rule === undefined) ? NOT_DERIVED : last);
    setPlay((last) => ({ ...(last ?? SAMPLE), ...part }));
  };
  const replace = (rule: string) => {
    change({ rule });
    setRevision((last) => last + 1);
  };
  const rules = setup === undefined ? [] : listRules(setup);
  const edit = (name: string) => replace(rules.find((rule) => rule.name === name)?.text ?? "");
  const derive = async () => {
    if (play === undefined) return;
    setDerived({ message: "Deriving…" });
    const name = freeName(NEW_NAME, new Set(rules.map((rule) => rule.name)));
    const result = await deriveInto(client, { ...play, name });
    if (result.rule !== undefined) replace(result.rule);
    setDerived(result);
    document.getElementById("rule-title")?.scrollIntoView({ block: "nearest" });
  };
  if (setup === undefined || play === undefined) {
    return html`
      <h1>Playground</h1>
      <p class=${`empty ${failure === "" ? "" : "bad"}`}>${failure || "Loading…"}</p>
    `;
  }
  // Without an engine, what was pasted is at least shown.
  const open = async (text: string) => change(await client.answer("open", { text }).catch(() => ({ text })));
  const link = async () => {
    const address = new URL(location.href);
    address.hash = writeRoute("playground", { [PACKED]: await packState(play) });
    return address.href;
  };
  return html`
    <h1>Playground</h1>
    <p
      class="quiet">See how Dragoman converts an answer, and create a rule for one that no rule reads. Nothing leaves the
      browser${setup.saving.isPossible ? " until you save a rule" : ""}. Plugins don't run here.</p>
    ${notice !== "" && html`<p role="alert" class="warn">${notice}</p>`}
    ${failure !== "" && html`<p role="alert" class="bad">${failure}</p>`}
    <div class="playground">
      <div>
        <${AnswerPanel} play=${play} change=${change} open=${open} clients=${setup.clients.map(({ client }) =>
          client
        )} />
      </div>
      <div class="found">
        ${newest.trace !== undefined &&
          html`<${FoundPanel} text=${newest.trace.text} found=${newest.trace.found} edit=${edit} />`}
      </div>
      <div>
        <${RulePanel} setup=${setup} rule=${play.rule} check=${newest.check} examples=${newest.examples}
          revision=${revision} change=${(rule: string) =>
            change({ rule })} replace=${replace} derive=${derive} derived=${derived}
          complete=${async (path: readonly (string | number)[], isValue: boolean) =>
            (await client.answer("complete", { path, isValue })).choices}
          link=${link} saved=${reload} />
      </div>
    </div>
  `;
}

/** What the playground begins with: what a link holds, an answer of the live list, or what the tab has kept. */
async function firstContents(
  parameters: URLSearchParams,
): Promise<{ readonly contents: PlayState; readonly notice: string }> {
  const packed = parameters.get(PACKED);
  const isHandedOver = parameters.has(HANDED_OVER);
  const kept = keptState();
  const linked = packed === null ? undefined : await unpackState(packed);
  const handed = isHandedOver ? takeHandover() : undefined;
  // The address stays the one of the playground, or a reload would bring the same contents again.
  if (packed !== null || isHandedOver || parameters.has(RULE)) {
    history.replaceState(null, "", writeRoute("playground"));
  }
  const notice = packed !== null && linked === undefined
    ? "The link is damaged, so the playground shows its previous contents."
    : "";
  if (handed === undefined) return { contents: linked ?? kept ?? SAMPLE, notice };
  const { text, client, chat } = handed;
  return { contents: { text, client: client ?? "", tools: chat ?? "", rule: kept?.rule ?? "" }, notice };
}
