/**
 * Lines about upstreams: after the start, whether each answers, and what to do if it doesn't; later, each model that gets
 * its tools in the prompt, or is read raw, because of `tools: auto`.
 *
 *     09:05:07  local answers: 3 models, llama.cpp b10547
 *     09:05:07  warning: cloud does not answer at http://127.0.0.1:8080/v1: Connection refused
 *
 * @module
 */
import { escaped } from "../../engine/diagnostic/visible.ts";
import { clock, plural } from "../../engine/diagnostic/figures.ts";
import { changeWords } from "../../proxy/upstream/learned_words.ts";
import { type Manner, mannerOf } from "../../proxy/upstream/manner.ts";
import type { KnownServer, LearnedChanges } from "../../proxy/upstream/servers.ts";
import type { Probed } from "../../proxy/upstream/upstream_health.ts";
import type { LearnedReason, LearnedTools } from "../../proxy/upstream/learned_tools.ts";

export function probeLine(
  probed: Pick<Probed, "upstream" | "result"> & { readonly server?: KnownServer | undefined },
  date: Date,
): { readonly text: string; readonly isWarning: boolean } {
  const isWarning = probed.result.kind !== "answers" || staysNative(probed) ||
    mannerOf(probed.upstream, probed.server)?.warning !== undefined;
  const text = `${isWarning ? "warning: " : ""}${textOf(probed)}`;
  return { text: `${clock(date.getTime())}  ${escaped(text)}\n`, isWarning };
}

type Printed = Parameters<typeof probeLine>[0];

/** Whether the upstream has `tools: raw`, and its server can't do that, or is unknown. */
function staysNative({ upstream, server }: Printed): boolean {
  return upstream.tools === "raw" && server?.profile.raw === undefined;
}

function textOf(printed: Printed): string {
  const { upstream: { name, url, key_env: keyEnv }, result, server } = printed;
  const at = `${name} at ${bareUrl(url)}`;
  switch (result.kind) {
    case "answers":
      return [
        `${name} answers${result.models === undefined ? "" : `: ${plural(result.models, "model")}`}`,
        ...server === undefined ? [] : [`${server.server} ${server.version ?? ""}`.trim()],
        ...mannerWords(mannerOf(printed.upstream, server)),
        ...otherDialect(printed),
        ...staysNative(printed)
          ? [
            "which doesn't support `tools: raw`, so requests stay in native mode. " +
            (server?.profile.no_raw ?? "Set `server` to the server's name, or use `tools: prompted`"),
          ]
          : [],
      ].join(", ");
    case "refuses_key":
      return `${at} answers, but refuses the key in ${keyEnv} (status ${result.status})`;
    case "web_page":
      return `${at} answers with a web page (status ${result.status}). Check that the URL is the base URL of a ` +
        "model server; it usually ends in /v1";
    case "unavailable":
      return `${at} is not ready (status ${result.status}). Requests fail until it is`;
    case "silent":
      return `${at} does not answer: ${result.cause}. Requests fail until it does`;
  }
}

const BEGINS: Readonly<Record<Manner["begins"], string>> = {
  raw: "raw mode from the first request",
  prompted: "tools in the prompt from the first request",
  native: "requests begin natively",
};

function mannerWords(manner: Manner | undefined): string[] {
  if (manner === undefined) return [];
  const { begins, why, warning } = manner;
  const isStated = why !== undefined || begins !== "native" && warning === undefined;
  const what = `${BEGINS[begins]} (\`tools: auto\`)${why === undefined ? "" : `: ${why}`}`;
  return [...isStated ? [what] : [], ...warning === undefined ? [] : [warning]];
}

/** The dialect of tools in the prompt, if the server's parser would take the calls of the model's own one. */
function otherDialect({ upstream: { tools, dialect, rules }, server }: Printed): string[] {
  const other = server?.profile.prompted?.dialect;
  if (tools !== "prompted" || dialect !== undefined || rules !== undefined || other === undefined) return [];
  return [
    `tools are in the prompt in the dialect of rule "${other}", because the server's own parser reads the model's`,
  ];
}

/** The URL without a user name and password. */
export function bareUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === "" && url.password === "")) return text;
  url.username = url.password = "";
  return url.href;
}

const WHY: Readonly<Record<LearnedReason, string>> = {
  refused: "refuses `tools`",
  refused_calls: "refuses calls in the conversation",
  unparsed: "has calls or tools that the server's own parser can't read",
};

/** What requests of a model need that its server would refuse. */
export function learnedChangesLine({ upstream, model, changes }: LearnedChanges, date: Date): string {
  const what = model === "" ? "" : ` with the model "${model}"`;
  const text = `Upstream "${upstream}"${what} refused a request, and accepted it after a change: ${
    changeWords(changes).join("; ")
  }. Later requests are changed in advance`;
  return `${clock(date.getTime())}  ${escaped(text)}\n`;
}

export function learnedToolsLine({ upstream, model, reason, dialect }: LearnedTools, date: Date): string {
  const what = model === "" ? "" : ` with the model "${model}"`;
  const then = reason === "unparsed"
    ? "From now on, that parser is off, and Dragoman reads the model's own text"
    : `From now on, it gets tools in the prompt, in the dialect of rule "${dialect}"`;
  const text = `Upstream "${upstream}"${what} ${WHY[reason]}. ${then} (tools: auto)`;
  return `${clock(date.getTime())}  ${escaped(text)}\n`;
}
