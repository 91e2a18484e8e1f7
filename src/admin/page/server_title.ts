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
    ...servers.map(({ upstream, server, version = "", begins }) =>
      `${upstream}: ${server} ${version}`.trim() +
      (begins === "raw" ? ", read raw from the first request" : "")
    ),
    ...learnedTools.map(({ upstream, model, reason, dialect }) => {
      const how = dialect === "" ? "read raw" : `tools in the prompt (${dialect})`;
      return `${upstream}, ${model || "any model"}: ${how}, because of ${WHY[reason] ?? reason}`;
    }),
  ].join("\n");
}

const WHY: Readonly<Record<string, string>> = {
  refused: "a refused request",
  unparsed: "the server's parser",
};
