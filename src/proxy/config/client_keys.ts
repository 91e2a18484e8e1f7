/**
 * The keys that clients of the proxy must send, and whether it can listen without any.
 *
 * @module
 */
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";
import { isLoopback } from "./address.ts";
import type { Config } from "./schema.ts";

/** The sources of the keys. */
export interface ClientKeySources {
  /** Returns an environment variable, or undefined. */
  readonly readEnvironment: (name: string) => string | undefined;
  /** The location of a value of `listen` in the file, if it is there. */
  readonly locate: (key: "key_env" | "hostname") => Location | undefined;
}

/** The keys and their diagnostics. Secrets: never log them. */
export interface ClientKeys {
  /** The keys; empty if no variable is named. */
  readonly found: readonly string[];
  /** Every error. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The shortest key that is hard to guess. */
const KEY_LENGTH_MIN = 16;

/** Reads the keys of `listen.key_env`. A variable can contain several, separated by commas or white space. */
export function readClientKeys(
  listen: Config["listen"],
  { readEnvironment, locate }: ClientKeySources,
): ClientKeys {
  const place = present({ location: locate("key_env") });
  const names = typeof listen.key_env === "string" ? [listen.key_env] : listen.key_env ?? [];
  const diagnostics: Diagnostic[] = [];
  const found = names.flatMap((name) => {
    const keys = (readEnvironment(name) ?? "").split(/[\s,]+/).filter((key) => key !== "");
    if (keys.length === 0) diagnostics.push({ ...missing(name), ...place });
    if (keys.some((key) => key.length < KEY_LENGTH_MIN)) diagnostics.push({ ...short(name), ...place });
    return keys;
  });
  if (names.length === 0 && !listen.open && !isLoopback(listen.hostname)) {
    diagnostics.push({ ...unprotected(listen.hostname), ...present({ location: locate("hostname") }) });
  }
  return { found, diagnostics };
}

function missing(name: string): Diagnostic {
  return {
    code: "environment_missing",
    severity: "error",
    message: `The client keys are missing: ${name} is not set`,
    expected: `one or several keys in the environment variable ${name}, apart by commas`,
    help: `set ${name} before starting, for example to the output of \`openssl rand -hex 32\``,
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
      `Listening on ${hostname} would let every machine that reaches it use the upstreams and their keys`,
    expected: "a client key, or an address of this machine only",
    help:
      "set `listen.key_env` to the name of an environment variable that holds a key; `listen.open: true` " +
      "lets anyone in",
  };
}
