/** What the server's state shows besides the version: the upstreams' servers, and what was learned of their models. @module */

export interface KnownUpstreams {
  readonly servers?: readonly {
    readonly upstream: string;
    readonly server: string;
    readonly version?: string;
    readonly begins?: string;
    readonly why?: string;
    readonly warning?: string;
    /** How many tokens a prompt and its answer may have together. */
    readonly context?: number;
  }[];
  readonly learnedTools?: readonly {
    readonly upstream: string;
    readonly model: string;
    readonly reason: string;
    readonly dialect: string;
  }[];
  readonly learnedChanges?: readonly {
    readonly upstream: string;
    readonly model: string;
    /** Each is what is changed, such as `messages`, and how, with its source. */
    readonly changes: readonly Readonly<Record<string, unknown>>[];
  }[];
}

/** One line for each upstream that is known and each model that was learned about; empty without any. */
export function serverTitle(
  { servers = [], learnedTools = [], learnedChanges = [] }: KnownUpstreams,
): string {
  return [
    ...servers.map(({ upstream, server, version = "", begins = "", context, why, warning }) =>
      [
        `${upstream}: ${server} ${version}`.trim(),
        context === undefined ? "" : `${context} tokens of context`,
        BEGINS[begins],
        why,
        warning,
      ].filter(Boolean).join(", ")
    ),
    ...learnedTools.map(({ upstream, model, reason, dialect }) => {
      const how = dialect === "" ? "read raw" : `tools in the prompt (${dialect})`;
      return `${upstream}, ${model || "any model"}: ${how}, because of ${WHY[reason] ?? reason}`;
    }),
    ...learnedChanges.map(({ upstream, model, changes }) => {
      const parts = CHANGED.filter((part) => changes.some((change) => change[part] !== undefined));
      return `${upstream}, ${model || "any model"}: ${parts.join(", ")} changed, because of ${
        WHY["refused"]
      }`;
    }),
  ].join("\n");
}

const CHANGED: readonly string[] = ["messages", "fields", "schemas", "ids", "tool_choice"];

const BEGINS: Readonly<Record<string, string>> = {
  raw: "raw mode from the first request",
  prompted: "tools in the prompt from the first request",
};

const WHY: Readonly<Record<string, string>> = {
  refused: "a refused request",
  refused_calls: "a refused conversation that contained calls",
  unparsed: "the server's parser",
};
