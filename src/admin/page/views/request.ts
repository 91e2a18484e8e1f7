/** One request: how it went, what the model wrote next to what the client got, and every decision with its meaning. @module */
/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, dateAndClock, duration, plural, UNKNOWN } from "../../../engine/diagnostic/figures.ts";
import { isRunning, type LiveDetail, type LiveMark, type LiveRequest } from "../../live/request.ts";
import { html } from "../html.ts";
import { inlineCode } from "../inline_code.ts";
import { messageOf, read } from "../server.ts";
import { After, Before } from "./texts.ts";
import { Remarks, STATE_TITLES, statusOf } from "./live_row.ts";
import { partsOf } from "../chat_parts.ts";
import { curlOf } from "../curl.ts";
import { handOver } from "../handover.ts";
import { writeRoute } from "../route.ts";
import { reasonEntry } from "../../../engine/event/reason.ts";
import { ENDS } from "../../audit/ends.ts";

interface RequestProperties {
  readonly request: LiveRequest;
  readonly hasContents: boolean;
  readonly close: () => void;
}

const DETAIL_MS = 300;

export function RequestView({ request, hasContents, close }: RequestProperties) {
  const { detail, failure } = useDetail(request);
  const [focused, setFocused] = useState<number>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const contents = detail?.contents ?? null;
  const reason = whyNoTexts(request, { hasContents, detail });
  return html`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${close} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${heading}>
          <span class=${`dot ${request.state}`}></span>${request.route ?? request.model ??
            "A request without a model"}
        </h1>
        <${Actions} request=${request} detail=${detail} />
      </div>
      <${Facts} request=${request} />
      ${request.state === "error" && html`
        <p class="notice bad">The request ended with status ${request.status}${request.error !== null &&
          html`, error <code>${request.error}</code>`}${request.message !== null &&
          html`: ${request.message}`}.${detail?.errorMeaning != null &&
          html`
            <span class="block">${inlineCode(detail.errorMeaning)}</span>
          `}</p>
      `}
      ${request.nearMisses > 0 && html`<${NearMissStep} request=${request} detail=${detail} />`}
      ${failure !== "" && html`<p class="notice bad" role="alert">${failure}</p>`}
      ${contents === null || reason !== undefined
        ? html`<p class="notice">${inlineCode(reason ?? "")}</p>`
        : html`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${Before} parts=${contents.before} isRunning=${isRunning(request)} marks=${detail?.marks ??
                []} focused=${focused}
                focus=${setFocused} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${request.mode === "live"
                ? "got"
                : "would have got"}</h2>
              <${After} parts=${contents.after} isRunning=${isRunning(request)} />
            </section>
          </div>
          ${contents.isCut &&
            html`<p class="notice">The contents are long, so only the beginnings are stored.</p>`}
        `}
      ${detail !== undefined && (request.client !== null || detail.marks?.length) && html`
        <${Marks} marks=${detail.marks} isRunning=${isRunning(
          request,
        )} focused=${focused} focus=${setFocused} />
      `}
      ${contents?.chat != null && html`<${ChatParts} chat=${contents.chat} />`}
    </article>
  `;
}

function Facts({ request }: { readonly request: LiveRequest }) {
  const {
    client,
    wire,
    key,
    tried,
    upstream,
    mode,
    firstMs,
    durationMs,
    addedMs,
    tools,
    tokens,
    beganAt,
    state,
    isStreamed,
  } = request;
  const facts: readonly (readonly [string, unknown])[] = [
    ["State", STATE_TITLES[state]],
    ["Status", statusOf(request)],
    ["Arrived", dateAndClock(beganAt)],
    ["First token", duration(firstMs)],
    ["Total", durationMs === null ? "…" : duration(durationMs)],
    ["Dragoman’s share", duration(addedMs)],
    ["Client", client ?? "unknown"],
    ["API", wire ?? UNKNOWN],
    ["Client key", key ?? "without a name"],
    ["Upstream", (upstream ?? UNKNOWN) + (tried.length === 0 ? "" : `, after ${tried.join(", ")}`)],
    ["Offered tools", tools],
    ["Prompt", promptText(request)],
    ["Tokens", tokens == null ? UNKNOWN : count(tokens)],
    ["Conversation", conversationText(request)],
    ["Answer", isStreamed ? "streamed" : "whole"],
    ["Mode", { live: "live", dry_run: "dry run", excluded: "excluded by the canary" }[mode]],
  ];
  return html`
    <dl class="facts">${facts.map(([name, value]) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>
      `
    )}</dl>
    <${Timing} request=${request} />
    <p class="remarks">
      <${Remarks} request=${request} />
    </p>
  `;
}

/** How much of a prompt was new, and how much came from the server's cache. */
export function promptText(
  { promptTokens: tokens, cachedTokens: cached }: Pick<LiveRequest, "promptTokens" | "cachedTokens">,
): string {
  if (tokens === undefined) return UNKNOWN;
  if (cached === undefined) return `${tokens} tokens`;
  return `${tokens} tokens: ${tokens - cached} new, ${cached} from the cache`;
}

export function conversationText(
  { conversationPrompts: sums }: Pick<LiveRequest, "conversationPrompts">,
): string {
  if (sums === undefined || sums.tokens === 0) return UNKNOWN;
  const { requests, tokens, cached } = sums;
  const share = Math.round((tokens - cached) / tokens * 100);
  return `${plural(requests, "request")} so far: ${share}% of ${tokens} tokens new`;
}

function Timing({ request: { firstMs, durationMs } }: { readonly request: LiveRequest }) {
  if (durationMs === null || firstMs === null || durationMs <= 0) return null;
  const first = Math.min(100, firstMs / durationMs * 100);
  return html`
    <div class="timing" role="img" aria-label=${`${duration(firstMs)} until the first token, ${
      duration(durationMs - firstMs)
    } of answer`}>
      <span class="wait" style=${{ width: `${first}%` }}></span><span class="flow" style=${{
        width: `${100 - first}%`,
      }}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `;
}

/** Why an opened request shows no texts; undefined if it shows them. */
export function whyNoTexts(
  { client, route, upstream, choices }: LiveRequest,
  { hasContents, detail }: { readonly hasContents: boolean; readonly detail: LiveDetail | undefined },
): string | undefined {
  if (detail === undefined) return "Loading…";
  const isKept = detail.contents !== null;
  if (route !== null || upstream === null) {
    return "This request isn't a chat, or it was refused before it reached a model.";
  }
  if (!isKept && !hasContents) {
    return "Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` " +
      "in dragoman.yaml.";
  }
  if (client === null && detail.contents?.before.length === 0) {
    return "The client is unknown, or it offers no tools, so the answer passed unchanged.";
  }
  if (choices !== 1) {
    return `The request asks for ${choices} answers. Their text would be mixed together, so the page doesn't keep it.`;
  }
  return isKept ? undefined : "The contents of this request are no longer stored.";
}

/** The detail of a request, read again while it runs and after it changed. */
function useDetail(request: LiveRequest): { detail: LiveDetail | undefined; failure: string } {
  const [detail, setDetail] = useState<LiveDetail>();
  const [failure, setFailure] = useState("");
  const version = useRef(-1);
  const { id, accepted, rejected } = request;
  const runs = isRunning(request);
  useEffect(() => {
    let isOpen = true;
    const load = async () => {
      try {
        const next = await read<LiveDetail | undefined>(
          `live/${encodeURIComponent(id)}?version=${version.current}`,
        );
        if (!isOpen) return;
        setFailure("");
        if (next === undefined) return;
        version.current = next.version;
        setDetail(next);
      } catch (cause) {
        if (isOpen) setFailure(messageOf(cause));
      }
    };
    void load();
    const timer = runs ? setInterval(() => document.hidden || void load(), DETAIL_MS) : undefined;
    return () => {
      isOpen = false;
      clearInterval(timer);
    };
  }, [id, runs, accepted, rejected]);
  return { detail, failure };
}

/** The request itself, part by part, closed at first: a prompt of an agent is too long to read as a whole. */
function ChatParts({ chat }: { readonly chat: string }) {
  // It may be long, and the view is drawn again with every change and every decision that the mouse is over.
  const parts = useMemo(() => partsOf(chat), [chat]);
  return html`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${parts.map(({ title, summary, text }) =>
        html`
          <details>
            <summary><strong>${title}</strong><span class="quiet">${summary}</span></summary>
            <pre>${text}</pre>
          </details>
        `
      )}
    </section>
  `;
}

/** Copies a request as a command, and takes its answer to the playground; no buttons without texts. */
function Actions(
  { request, detail }: { readonly request: LiveRequest; readonly detail: LiveDetail | undefined },
) {
  const [command, setCommand] = useState("");
  const [isCopied, setCopied] = useState(false);
  const contents = detail?.contents;
  if (contents === undefined || contents === null) return null;
  const { chat, before } = contents;
  const text = before.map((part) => part.text).join("");
  const copy = async () => {
    const command = curlOf(request, { chat: chat ?? "", origin: location.origin });
    // A page that isn't on this machine and has no TLS has no clipboard; a person copies the command then.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const isDone = await clipboard?.writeText(command).then(() => true, () => false) ?? false;
    setCopied(isDone);
    setCommand(isDone ? "" : command);
  };
  return html`
    <span class="actions">
      <span role="status" class="quiet">${isCopied ? "Copied" : ""}</span>
      ${chat !== null &&
        html`<button onClick=${copy} title="The command doesn't include the key">Copy as curl</button>`}
      ${text !== "" && html`
        <a class="button" href="#/playground?from=live"
          onClick=${() => void handOver({ text, client: request.client, chat })}>Open in the playground</a>
      `}
    </span>
    ${command !== "" &&
      html`<textarea class="command" readonly aria-label="The command" value=${command}></textarea>`}
  `;
}

function NearMissStep(
  { request, detail }: { readonly request: LiveRequest; readonly detail: LiveDetail | undefined },
) {
  const { client, command } = request;
  const contents = detail?.contents ?? null;
  const text = contents?.before.map((part) => part.text).join("") ?? "";
  const give = () => void handOver({ text, client, chat: contents?.chat ?? null });
  return html`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${text !== "" && html`
        <p><a class="button main" href=${writeRoute("playground", { from: "live", derive: "1" })}
            onClick=${give}>Derive a rule in the playground</a></p>
      `}
      ${command !== null && html`
        <p>On the command line:</p>
        <${Command} command=${command} />
      `}
      ${text === "" && html`
        <p>The text of this answer isn’t stored, so no rule can be derived from it here. To store the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${command === null &&
            html`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `;
}

export function Command({ command }: { readonly command: string }) {
  const [state, setState] = useState("");
  const copy = async () => {
    // A page that isn't on this machine and has no TLS has no clipboard; a person copies the command then.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const isDone = await clipboard?.writeText(command).then(() => true, () => false) ?? false;
    setState(isDone ? "Copied" : "The browser doesn’t allow copying: select the command");
  };
  return html`
    <pre class="text" tabindex="0" aria-label="The command">${command}</pre>
    <p><button onClick=${copy}>Copy the command</button> <span role="status" class="quiet">${state}</span></p>
  `;
}

interface MarksProperties {
  /** Null if they aren't kept anymore. */
  readonly marks: readonly LiveMark[] | null;
  readonly isRunning: boolean;
  readonly focused: number | undefined;
  readonly focus: (mark: number | undefined) => void;
}

function Marks({ marks, isRunning, focused, focus }: MarksProperties) {
  if (marks === null) return html`<p class="empty">The decisions of this request are no longer stored.</p>`;
  if (marks.length === 0) {
    return html`<p class="empty">${
      isRunning ? "No decisions yet." : "No decisions: nothing looked like a call."
    }</p>`;
  }
  return html`
    <h2>Decisions, repairs, and remarks</h2>
    <ol class="marks">${marks.map((mark, index) =>
      html`
        <li class=${index === focused ? "focused" : ""} onMouseEnter=${() => focus(index)}
          onMouseLeave=${() => focus(undefined)}>
          <${Mark} mark=${mark} />
        </li>
      `
    )}</ol>
  `;
}

function Mark({ mark: { end, reason, rule, tool, detail, atMs, characters } }: { readonly mark: LiveMark }) {
  const { word, color } = ENDS[end];
  const place = [
    tool === null ? "" : tool,
    rule === "" ? "" : `rule ${rule}`,
    detail ?? "",
    characters === null ? "" : `${characters} characters`,
  ]
    .filter((part) => part !== "").join(" · ");
  return html`
    <span class=${`chip ${color}`}>${word}</span>
    <code>${reason}</code>
    <span>${place}</span>
    ${atMs !== null && html`<span class="quiet">after ${duration(atMs)}</span>`}
    <span class="quiet block">${inlineCode(reasonEntry(reason)?.meaning ?? "")}</span>
  `;
}
