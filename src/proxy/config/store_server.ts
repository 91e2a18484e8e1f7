/** The Valkey or Redis server that replicas share, as configured. Its password comes from the environment only. @module */
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";
import type { Config } from "./schema.ts";

export interface StoreServer {
  /** The address as the configuration has it, for messages; without a password. */
  readonly url: string;
  /** The name or address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly isSecure: boolean;
  readonly user?: string;
  /** The password. A secret. */
  readonly password?: string;
  /** The file of the authority that signed the server's certificate. */
  readonly caFile?: string;
  /** The longest that a request waits, in milliseconds. */
  readonly timeoutMs: number;
  readonly prefix: string;
}

interface StoreServerSources {
  readonly readEnvironment: (name: string) => string | undefined;
  readonly locate: (key: "password_env" | "ca_env") => Location | undefined;
}

const DEFAULT_PORT = 6379;

/** Reads `store`; the schema has checked its URL. */
export function readStoreServer(
  { url: text, timeout_ms: timeoutMs, prefix, ...names }: Config["store"],
  { readEnvironment, locate }: StoreServerSources,
): { readonly found: StoreServer | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const url = text === "memory" ? null : URL.parse(text);
  if (url === null) return { found: undefined, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const read = (key: "password_env" | "ca_env", what: string): string | undefined => {
    const name = names[key];
    if (name === undefined) return undefined;
    const value = readEnvironment(name)?.trim() || undefined;
    if (value === undefined) diagnostics.push(missing({ name, what, location: locate(key) }));
    return value;
  };
  const password = read("password_env", "the store's password");
  const caFile = read("ca_env", "the path of the PEM file");
  const found: StoreServer = {
    url: text,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || DEFAULT_PORT,
    database: Number(url.pathname.slice(1)),
    isSecure: /^(?:valkeys|rediss):$/.test(url.protocol),
    timeoutMs,
    prefix,
    ...present({ user: url.username || undefined, password, caFile }),
  };
  return { found, diagnostics };
}

function missing({ name, what, location }: {
  readonly name: string;
  readonly what: string;
  readonly location: Location | undefined;
}): Diagnostic {
  return {
    code: "environment_missing",
    severity: "error",
    message: `The store cannot be used: ${name} is not set`,
    ...present({ location }),
    expected: `${what} in the environment variable ${name}`,
    help: `set ${name} before starting, or remove the setting that names it`,
  };
}
