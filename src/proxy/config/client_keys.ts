/** The keys that clients of the proxy must send, and whether it can listen without any. @module */
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";
import { isLoopback } from "./address.ts";
import type { Config } from "./schema.ts";

interface ClientKeySources {
  readonly readEnvironment: (name: string) => string | undefined;
  /** The text of a file with a key, by its path relative to the configuration; undefined if it cannot be read. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
  /** The location of a value of `listen` in the file, if it is there. */
  readonly locate: (path: readonly ["key_env" | "hostname" | "keys", string?]) => Location | undefined;
}

/** The keys and their diagnostics. Secrets: never log them. */
interface ClientKeys {
  /** The keys; empty if nothing names one. */
  readonly found: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The shortest key that is hard to guess. */
const KEY_LENGTH_MIN = 16;

/** Reads the keys of `listen.key_env` and `listen.keys`. Each source can have several, separated by commas or whitespace. */
export function readClientKeys(listen: Config["listen"], sources: ClientKeySources): ClientKeys {
  const { readEnvironment, readFile, locate } = sources;
  const variables = typeof listen.key_env === "string" ? [listen.key_env] : listen.key_env ?? [];
  const given = [
    ...variables.map((source) => ({ source, name: undefined, location: locate(["key_env"]) })),
    ...Object.entries(listen.keys).map(([name, source]) => ({
      source,
      name,
      location: locate(["keys", name]),
    })),
  ];
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, string>();
  const found = given.flatMap(({ source, name, location }) => {
    const text = isPath(source) ? readFile?.(source) : readEnvironment(source);
    const keys = (text ?? "").split(/[\s,]+/).filter((key) => key !== "");
    const place = present({ location });
    if (keys.length === 0) diagnostics.push({ ...missing(source, name), ...place });
    if (keys.some((key) => key.length < KEY_LENGTH_MIN)) diagnostics.push({ ...short(source), ...place });
    for (const key of name === undefined ? [] : keys) {
      const other = names.get(key);
      if (other !== undefined && other !== name) diagnostics.push({ ...shared(other, name!), ...place });
      names.set(key, name!);
    }
    return keys;
  });
  if (given.length === 0 && !listen.open && !isLoopback(listen.hostname)) {
    diagnostics.push({ ...unprotected(listen.hostname), ...present({ location: locate(["hostname"]) }) });
  }
  return { found: [...new Set(found)], names, diagnostics };
}

/** Whether a source is a file: the name of a variable has no slash. */
function isPath(source: string): boolean {
  return /[/\\]/.test(source);
}

function shared(one: string, other: string): Diagnostic {
  return {
    code: "environment_value",
    severity: "error",
    message: `${one} and ${other} have the same key, so their use can't be distinguished`,
    expected: "a different key for each name",
    help: "create a new key for one of them with `openssl rand -hex 32`",
  };
}

function missing(source: string, name: string | undefined): Diagnostic {
  const [why, place, help] = isPath(source)
    ? [`${source} cannot be read, or is empty`, `file ${source}`, `write a key into ${source}`]
    : [`${source} is not set`, `environment variable ${source}`, `set ${source} before starting`];
  return {
    code: "environment_missing",
    severity: "error",
    message: `${name === undefined ? "The client keys are" : `The client key of ${name} is`} missing: ${why}`,
    expected: `one or more keys in the ${place}, separated by commas`,
    help: `${help}, for example the output of \`openssl rand -hex 32\``,
  };
}

function short(name: string): Diagnostic {
  return {
    code: "environment_value",
    severity: "warning",
    message: `A client key in ${name} is shorter than ${KEY_LENGTH_MIN} characters, so it can be guessed`,
    expected: "a long random text",
    help: "use the output of `openssl rand -hex 32`",
  };
}

function unprotected(hostname: string): Diagnostic {
  return {
    code: "listen_unprotected",
    severity: "error",
    message:
      `Listening on ${hostname} would let every machine that can reach it use the upstreams and their keys`,
    expected: "a client key, or an address that only this machine can reach",
    help:
      "set `listen.key_env` to the name of an environment variable that holds a key; `listen.open: true` " +
      "lets anyone in",
  };
}
