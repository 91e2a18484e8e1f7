/** What a reload may not do: take away what guards access. Whatever else an edit opens is named. @module */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";
import type { Setup } from "./setup.ts";

/** What guards a running server; threads pass it to each other. */
export interface Guards {
  readonly hasFile: boolean;
  readonly needsClientKey: boolean;
  readonly needsAdminKey: boolean;
}

export function guardsOf({ config }: Pick<Setup, "config">): Guards {
  return {
    hasFile: config.isGiven,
    needsClientKey: config.clientKeys.length > 0,
    needsAdminKey: config.adminKey !== undefined,
  };
}

/** What a setup lacks of the guards before it; each is an error. */
export function guardProblems(before: Guards, { config }: Pick<Setup, "config">): Diagnostic[] {
  const after = guardsOf({ config });
  if (before.hasFile && !after.hasFile) {
    return [{
      code: "configuration_gone",
      severity: "error",
      message: `The configuration ${config.path} is missing or empty`,
      expected: "the file that the server runs with",
      help: "restore the file, or restart to run without it",
    }];
  }
  const lost = [
    ["client keys", "listen", before.needsClientKey && !after.needsClientKey],
    ["admin key", "admin", before.needsAdminKey && !after.needsAdminKey],
  ] as const;
  return lost.filter(([_, __, isLost]) => isLost).map(([what, section]) => ({
    code: "access_opened",
    severity: "error",
    message: `This edit removes the ${what}, so programs without a key would gain access`,
    ...present({ location: config.locate([section]) }),
    expected: `the ${what} that the server started with, or different ones`,
    help: `name a key in \`${section}\` again, or restart to run without one`,
  }));
}

/** What a setup lets in that the one before it didn't, in few words each. */
export function openedBy(before: Setup, after: Setup): string[] {
  const { config: { listen, admin }, keyNames, clientKeys } = after.config;
  const old = before.config;
  const added = <T>(values: readonly T[], known: readonly T[]) =>
    values.filter((value) => !known.includes(value));
  const names = added(clientKeys, old.clientKeys).map((key) => keyNames.get(key));
  const named = [...new Set(names)].map((name) =>
    name === undefined ? "a client key without a name" : `the client key of ${name}`
  );
  const plugins = ({ plugins: { plugins } }: Setup) => plugins.map(({ plugin }) => plugin.name);
  return [
    ...named,
    ...added(listen.origins, old.config.listen.origins).map((origin) => `web pages of ${origin}`),
    ...added(listen.hosts, old.config.listen.hosts).map((host) => `the host name ${host}`),
    ...(admin.contents && !old.config.admin.contents ? ["request text on the page"] : []),
    ...(after.config.adminKey !== old.adminKey && old.adminKey !== undefined ? ["another admin key"] : []),
    ...added(plugins(before), plugins(after)).map((name) => `anything that the plugin ${name} blocked`),
  ];
}
