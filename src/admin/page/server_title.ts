/**
 * What the state of the server states besides its version: which servers the upstreams are, and what was learned about their
 * models.
 *
 * @module
 */

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
}

/** One line for each upstream that is known and each model that was learned about; empty without any. */
export function serverTitle({ servers = [], learnedTools = [] }: KnownUpstreams): string {
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
  ].join("\n");
}

const BEGINS: Readonly<Record<string, string>> = {
  raw: "read raw from the first request",
  prompted: "tools in the prompt from the first request",
};

const WHY: Readonly<Record<string, string>> = {
  refused: "a refused request",
  refused_calls: "a refused conversation with calls",
  unparsed: "the server's parser",
};
