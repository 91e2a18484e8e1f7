/** The playground, all in the browser: an answer, what is found in it, and a rule that is edited next to it. @module */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { takeHandover } from "../handover.ts";
import { html } from "../html.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";
import { type DerivedInto, deriveInto } from "./derive_into.ts";
import { FoundPanel } from "./found_panel.ts";
import { freeName, listRules, NEW_NAME } from "./rule_list.ts";
import { RulePanel } from "./rule_panel.ts";
import { SAMPLE, SAMPLE_TOOLS } from "./sample.ts";
import { keepState, keptState, packState, type PlayState, unpackState } from "./state.ts";
import { parseJson } from "../../../engine/object/parse.ts";
import { isRecord } from "../../../engine/object/record.ts";
import type { PlaygroundSetup } from "../../routes/playground.ts";
import { present } from "../../../engine/object/present.ts";
import { read } from "../server.ts";
import { EngineClient, startWorker } from "./engine_client.ts";
import type { Answers } from "./protocol.ts";

/// <reference lib="dom" />

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

/// <reference lib="dom" />

interface AnswerPanelProperties {
  readonly play: PlayState;
  readonly change: (part: Partial<PlayState>) => void;
  readonly open: (text: string) => void;
  readonly clients: readonly string[];
}

function AnswerPanel({ play, change, open, clients }: AnswerPanelProperties) {
  const value = ({ target }: InputEvent) => (target as HTMLTextAreaElement | HTMLSelectElement).value;
  // Only the state at first: later, the person opens and closes it.
  const [isOpen] = useState(play.tools.trim() === "");
  const paste = (pasted: ClipboardEvent) => {
    const text = pasted.clipboardData?.getData("text/plain") ?? "";
    if (!looksLikeCapture(text)) return;
    pasted.preventDefault();
    open(text);
  };
  return html`
    <section aria-labelledby="answer-title">
      <h2 id="answer-title"><label for="answer">The model's answer</label></h2>
      <textarea id="answer" class="mono" rows="9" spellcheck=${false} value=${play.text} onPaste=${paste}
        aria-describedby="answer-help"
        onInput=${(input: InputEvent) => change({ text: value(input) })}></textarea>
      <p id="answer-help"
        class="quiet small">Paste what the model printed, or a file that <code>serve --record</code> wrote.</p>
      <div class="fields">
        <div>
          <label for="client">Client</label>
          <select id="client" value=${play.client} onInput=${(input: InputEvent) =>
            change({ client: value(input) })}>
            <option value="">as the request shows</option>
            ${clients.map((name) => html`<option value=${name}>${name}</option>`)}
          </select>
        </div>
      </div>
      <details open=${isOpen}>
        <summary>Offered tools</summary>
        <textarea id="tools" class="mono" rows="5" spellcheck=${false} value=${play.tools}
          aria-label="Offered tools"
          aria-describedby="tools-help"
          onInput=${(input: InputEvent) => change({ tools: value(input) })}></textarea>
        <p id="tools-help" class="quiet small">
          A request as JSON, its <code>tools</code>, names, or <code>read_file: { path: string, line: integer? }</code>.
          Without tools, every name counts as a tool.${" "}
          <button type="button" onClick=${() => change({ tools: SAMPLE_TOOLS })}>Use sample tools</button>
        </p>
      </details>
    </section>
  `;
}

/** Whether a text seems to be a file of `serve --record`; the engine decides. */
function looksLikeCapture(text: string): boolean {
  const value = text.trimStart().startsWith("{") ? parseJson(text) : undefined;
  return isRecord(value) && typeof value["text"] === "string" && typeof value["client"] === "string";
}

/// <reference lib="dom" />

/** The newest answers; undefined until there are any. */
interface Newest {
  /** How an answer is read, with its text: the contents may have changed since. */
  readonly trace?: { readonly text: string; readonly found: Answers["trace"] };
  readonly check?: Answers["check"];
  readonly examples?: Answers["examples"];
}

interface UsedEngine {
  /** The setup; undefined until it is loaded. */
  readonly setup: PlaygroundSetup | undefined;
  /** Asks questions besides those that the contents raise. */
  readonly client: EngineClient;
  readonly newest: Newest;
  /** Why the engine doesn't work; empty if it does. */
  readonly failure: string;
  readonly reload: () => Promise<void>;
}

function useEngine(play: PlayState | undefined): UsedEngine {
  const [setup, setSetup] = useState<PlaygroundSetup>();
  const [newest, setNewest] = useState<Newest>({});
  const [failure, setFailure] = useState("");
  const started = useRef<EngineClient>();
  started.current ??= new EngineClient(startWorker());
  const client = started.current;
  useEffect(() => () => client.close(), [client]);
  const reload = useCallback(async () => {
    try {
      const loaded = await read<PlaygroundSetup>("playground");
      client.use(loaded);
      setSetup(loaded);
      setFailure("");
    } catch (cause) {
      setFailure(cause instanceof Error ? cause.message : String(cause));
    }
  }, [client]);
  useEffect(() => void reload(), [reload]);
  const keep = (part: Newest, why: string) => {
    if (why === "") setNewest((last) => ({ ...last, ...part }));
    setFailure(why);
  };
  const { text = "", tools = "", client: name = "", rule = "" } = play ?? {};
  useEffect(() => {
    if (play === undefined) return;
    client.ask(
      "trace",
      { text, tools, client: name, rule },
      (found, why) => keep(found === undefined ? {} : { trace: { text, found } }, why),
    );
  }, [client, setup, text, tools, name, rule]);
  useEffect(() => {
    if (rule.trim() === "") {
      client.forget("check");
      client.forget("examples");
      return setNewest(({ trace }) => present({ trace }));
    }
    client.ask("check", { rule }, (check, why) => keep(present({ check }), why));
    client.ask("examples", { rule }, (examples, why) => keep(present({ examples }), why));
  }, [client, setup, rule]);
  return { setup, client, newest, failure, reload };
}
