/** Makes one configuration: flags override the environment, which overrides the file, which overrides the defaults. @module */
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import type { Document } from "../../engine/document/document.ts";
import type { Path } from "../../engine/document/field.ts";
import { present } from "../../engine/object/present.ts";
import { readClientKeys } from "./client_keys.ts";
import defaults from "./defaults.json" with { type: "json" };
import type { Config, UpstreamConfig } from "./schema.ts";
import { readStoreServer, type StoreServer } from "./store_server.ts";
import { PROFILES } from "../upstream/profiles/profiles.ts";
import { readUpstreamUrl } from "./upstream_url.ts";

/** The flags of the command line, as text; undefined if a flag is absent. */
export interface ConfigFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  /** `--upstream`: one model server instead of those in the file. */
  readonly upstream?: string | undefined;
  /** `--upstream-name`: the only one of the upstreams to use. */
  readonly upstreamName?: string | undefined;
  /** `--tool-mode`: how every upstream gets tools. */
  readonly toolMode?: string | undefined;
  /** `--min-confidence`: the threshold. */
  readonly minimumConfidence?: string | undefined;
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
  /** `--dry-run`: log decisions, change nothing. */
  readonly dryRun?: boolean;
}

/** The file of a configuration. A file with only comments is an empty document, which is valid. */
export type ConfigDocument = Document<Config | null>;

interface ConfigSources {
  readonly document?: ConfigDocument | undefined;
  readonly flags: ConfigFlags;
  readonly readEnvironment: (name: string) => string | undefined;
  /** The text of a file with a key, by its path relative to the configuration; undefined if it cannot be read. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
}

export interface ResolvedConfig {
  /** The configuration; valid only if no diagnostic is an error. */
  readonly config: Config;
  /** Upstream's name → its key, if its `key_env` is set. Secrets: never log them. */
  readonly keys: ReadonlyMap<string, string>;
  /** The client keys; if empty, clients need no key. Secrets. */
  readonly clientKeys: readonly string[];
  /** Client key → its name in `listen.keys`. Has secrets. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** The key of the admin surface, if `admin.key_env` names one that is set. A secret. */
  readonly adminKey?: string | undefined;
  /** The server that replicas share their memory with; undefined: this process keeps its own. Has a secret. */
  readonly storeServer?: StoreServer | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The location of a value in the file, if it is there. */
  locate(path: Path): Location | undefined;
  locateKey(path: Path): Location | undefined;
}

const GIVEN_UPSTREAM = "upstream";

/** The configuration without a file. The schema gives the same; `deno task generate` writes this file. */
const DEFAULTS = defaults.config as Config;

/** An upstream without settings besides its name and its URL. */
export const UPSTREAM_DEFAULTS = defaults.upstream as Omit<UpstreamConfig, "name" | "url">;

export function resolveConfig({ document, flags, readEnvironment, readFile }: ConfigSources): ResolvedConfig {
  const fromFile = document?.value ?? document?.partial ?? DEFAULTS;
  const given = givenValues({ flags, readEnvironment });
  const chosen = given.upstream === undefined ? fromFile.upstreams : [given.upstream];
  const listed = given.tools === undefined
    ? chosen
    : chosen.map((upstream) => ({ ...upstream, tools: given.tools! }));
  const upstreams = checkUpstreams(listed, { document: given.upstream === undefined ? document : undefined });
  const config: Config = {
    ...fromFile,
    listen: {
      ...fromFile.listen,
      hostname: given.hostname ?? fromFile.listen.hostname,
      port: given.port ?? fromFile.listen.port,
    },
    upstreams: named(upstreams.checked, flags.upstreamName),
    policy: {
      ...fromFile.policy,
      minimum_confidence: given.minimumConfidence ?? fromFile.policy.minimum_confidence,
      dry_run: flags.dryRun === true || fromFile.policy.dry_run,
    },
    rules: switchRules(fromFile.rules, flags),
  };
  const keys = readKeys(upstreams.checked, { document, readEnvironment, only: config.upstreams });
  const clientKeys = readClientKeys(config.listen, {
    readEnvironment,
    readFile,
    locate: ([key, name]) => {
      const path = name === undefined ? ["listen", key] : ["listen", key, name];
      return document?.has(path) ? document.locate(path) : undefined;
    },
  });
  const storeServer = readStoreServer(config.store, {
    readEnvironment,
    locate: (key) => document?.has(["store", key]) ? document.locate(["store", key]) : undefined,
  });
  return {
    config,
    storeServer: storeServer.found,
    keys: keys.found,
    clientKeys: clientKeys.found,
    keyNames: clientKeys.names,
    adminKey: config.admin.key_env === undefined
      ? undefined
      : readEnvironment(config.admin.key_env)?.trim() || undefined,
    diagnostics: [
      ...document?.diagnostics ?? [],
      ...given.diagnostics,
      ...upstreams.diagnostics,
      ...checkName(upstreams.checked, flags.upstreamName),
      ...checkRawModels(config, document),
      ...keys.diagnostics,
      ...clientKeys.diagnostics,
      ...storeServer.diagnostics,
    ],
    locate: (path) => document?.has(path) ? document.locate(path) : undefined,
    locateKey: (path) => document?.has(path) ? document.locateKey(path) : undefined,
  };
}

interface Overrides {
  readonly hostname?: string | undefined;
  readonly port?: number | undefined;
  readonly minimumConfidence?: number | undefined;
  readonly upstream?: UpstreamConfig | undefined;
  readonly tools?: UpstreamConfig["tools"] | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The values from flags and the environment; an empty variable counts as unset. */
function givenValues(
  { flags, readEnvironment }: Pick<ConfigSources, "flags" | "readEnvironment">,
): Overrides {
  const diagnostics: Diagnostic[] = [];
  const take = (flag: string, value: string | undefined, variable?: string): Origin | undefined => {
    if (value !== undefined) return { from: flag, value };
    const set = variable === undefined ? undefined : readEnvironment(variable);
    return set === undefined || set === "" ? undefined : { from: String(variable), value: set };
  };
  const number = (origin: Origin | undefined, limits: NumberLimits): number | undefined => {
    if (origin === undefined) return undefined;
    const value = origin.value.trim() === "" ? NaN : Number(origin.value);
    const isRight = value >= 0 && value <= limits.maximum && (!limits.isWhole || Number.isInteger(value));
    if (isRight) return value;
    diagnostics.push(wrongValue(origin, limits));
    return undefined;
  };
  const url = take("--upstream", flags.upstream, "DRAGOMAN_UPSTREAM");
  const tools = TOOL_MODES.find((mode) => mode === flags.toolMode);
  if (flags.toolMode !== undefined && tools === undefined) {
    const expected = `one of ${TOOL_MODES.join(", ")}`;
    diagnostics.push(wrongValue({ from: "--tool-mode", value: flags.toolMode }, { expected }));
  }
  return {
    hostname: take("--host", flags.host, "DRAGOMAN_HOST")?.value,
    port: number(take("--port", flags.port, "DRAGOMAN_PORT"), PORT),
    minimumConfidence: number(take("--min-confidence", flags.minimumConfidence), CONFIDENCE),
    upstream: url && { ...UPSTREAM_DEFAULTS, name: GIVEN_UPSTREAM, url: url.value },
    tools,
    diagnostics,
  };
}

interface Origin {
  readonly from: string;
  readonly value: string;
}

interface NumberLimits {
  readonly maximum: number;
  readonly isWhole: boolean;
  readonly expected: string;
}

const TOOL_MODES: readonly UpstreamConfig["tools"][] = ["native", "raw", "prompted", "auto"];
const PORT: NumberLimits = { maximum: 65535, isWhole: true, expected: "a whole number from 0 to 65535" };
const CONFIDENCE: NumberLimits = { maximum: 1, isWhole: false, expected: "a number from 0 to 1" };

function wrongValue({ from, value }: Origin, { expected }: Pick<NumberLimits, "expected">): Diagnostic {
  return {
    code: "environment_value",
    severity: "error",
    message: `Cannot use \`${value}\` as the value of ${from}`,
    expected,
    help: `correct ${from}, or leave it out`,
  };
}

/** Flags override what the file states about the same rule. */
function switchRules(rules: Config["rules"], { enable = [], disable = [] }: ConfigFlags): Config["rules"] {
  const disabled = disable.filter((rule) => !enable.includes(rule));
  return {
    ...rules,
    enable: [...new Set([...rules.enable.filter((rule) => !disabled.includes(rule)), ...enable])],
    disable: [...new Set([...rules.disable.filter((rule) => !enable.includes(rule)), ...disabled])],
  };
}

/** The upstream that `--upstream-name` picks; all of them without the flag. */
function named(upstreams: UpstreamConfig[], name: string | undefined): UpstreamConfig[] {
  return name === undefined ? upstreams : upstreams.filter((upstream) => upstream.name === name);
}

function checkName(upstreams: readonly UpstreamConfig[], name: string | undefined): Diagnostic[] {
  if (name === undefined || upstreams.some((upstream) => upstream.name === name)) return [];
  const names = upstreams.map((upstream) => upstream.name);
  const expected = names.length === 0 ? "an upstream in the configuration" : `one of ${names.join(", ")}`;
  return [wrongValue({ from: "--upstream-name", value: name }, { expected })];
}

function checkUpstreams(
  upstreams: readonly UpstreamConfig[],
  { document }: { document: ConfigDocument | undefined },
): { checked: UpstreamConfig[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const names = new Set<string>();
  const checked = upstreams.map((upstream, index) => {
    if (names.has(upstream.name)) {
      const location = document?.locate(["upstreams", index, "name"]);
      diagnostics.push({
        code: "duplicate_upstream",
        severity: "error",
        message: `Upstream "${upstream.name}" is defined twice`,
        ...present({ location }),
        expected: "a unique name",
        help: "rename one of the two",
      });
    }
    names.add(upstream.name);
    const { url, problem } = readUpstreamUrl(upstream.url);
    const location = document?.locate(["upstreams", index, "url"]);
    if (problem !== undefined) {
      diagnostics.push({ ...problem, ...present({ location }) });
    }
    const unraw = upstream.tools === "raw" ? whyNotRaw(upstream) : undefined;
    if (unraw !== undefined) {
      const location = document?.locate(["upstreams", index, "tools"]);
      diagnostics.push({ ...unraw, ...present({ location }) });
    }
    return { ...upstream, url };
  });
  return { checked, diagnostics };
}

/** The models with `tools: raw` that no upstream can read raw. */
function checkRawModels({ models, upstreams }: Config, document: ConfigDocument | undefined): Diagnostic[] {
  const [unraw, ...others] = upstreams.map(whyNotRaw);
  if (unraw === undefined || others.includes(undefined)) return [];
  return Object.entries(models).filter(([_, { tools }]) => tools === "raw").map(([model]) => {
    const location = document?.locate(["models", model, "tools"]);
    return {
      ...unraw,
      message: `Model "${model}" has \`tools: raw\`, which no upstream's server supports`,
      ...present({ location }),
    };
  });
}

/** Why `tools: raw` can't work for an upstream; undefined if it can, or if the server isn't known yet. */
function whyNotRaw({ name, server }: UpstreamConfig): Diagnostic | undefined {
  const profile = PROFILES[server];
  if (server === "auto" || profile?.raw !== undefined) return undefined;
  const able = Object.entries(PROFILES).filter(([_, { raw }]) => raw !== undefined).map(([other]) => other);
  return {
    code: "raw_unsupported",
    severity: "error",
    message:
      `Upstream "${name}" has \`tools: raw\`, which its server (\`server: ${server}\`) doesn't support`,
    expected: `a server whose parser can be switched off by a request: ${able.join(", ")}`,
    help: profile?.no_raw ?? "set `server`, or use `tools: auto` or `tools: prompted`",
  };
}

function readKeys(upstreams: readonly UpstreamConfig[], { document, readEnvironment, only }: {
  document: ConfigDocument | undefined;
  readEnvironment: (name: string) => string | undefined;
  only: readonly UpstreamConfig[];
}): { found: Map<string, string>; diagnostics: Diagnostic[] } {
  const found = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  upstreams.forEach((upstream, index) => {
    const { name, key_env } = upstream;
    if (key_env === undefined || !only.includes(upstream)) return;
    const key = readEnvironment(key_env)?.trim();
    if (key !== undefined && key !== "") return void found.set(name, key);
    const location = document?.locate(["upstreams", index, "key_env"]);
    diagnostics.push({
      code: "environment_missing",
      severity: "warning",
      message: `The key of upstream "${name}" is missing: ${key_env} is not set`,
      ...present({ location }),
      expected: `the key in the environment variable ${key_env}`,
      help:
        `set ${key_env} before starting, or remove \`key_env\`; until then Dragoman forwards the client's own key`,
    });
  });
  return { found, diagnostics };
}
