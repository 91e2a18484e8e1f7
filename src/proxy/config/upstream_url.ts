/** Reads the base URL of an upstream, to which paths such as `/chat/completions` are added. @module */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";

interface UpstreamUrl {
  /** The base URL; the unchanged text if it is invalid. */
  readonly url: string;
  /** What is wrong, without a location; a warning if the URL is usable. */
  readonly problem?: Diagnostic;
}

/**
 * Reads the base URL of an upstream. A URL without a path gets `/v1`, which people often leave out; any other path stays,
 * because hosted servers have their own.
 */
export function readUpstreamUrl(text: string): UpstreamUrl {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { url: text, problem: noUrl(text) };
  }
  if (url.username !== "" || url.password !== "") {
    const help = "write the name of the environment variable that contains the key under `key_env`";
    return {
      url: text,
      problem: { ...wrong("The upstream's URL contains a user name or a password"), help },
    };
  }
  if (url.search !== "" || url.hash !== "") {
    const help = `remove \`${url.search}${url.hash}\``;
    return { url: text, problem: { ...wrong("The upstream's URL has a query or a fragment"), help } };
  }
  return readPath(url);
}

const ENDPOINT = /\/(?:chat\/completions|completions|models|responses)$/;

function readPath(url: URL): UpstreamUrl {
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "") return { url: `${url.origin}/v1` };
  const endpoint = ENDPOINT.exec(path)?.[0];
  if (endpoint === undefined) return { url: url.origin + path };
  const base = url.origin + path.slice(0, -endpoint.length);
  const problem = wrong(`The upstream's URL names the endpoint \`${endpoint}\``);
  return {
    url: base,
    problem: { ...problem, severity: "warning", help: `write ${base}, which is used now` },
  };
}

function noUrl(text: string): Diagnostic {
  const bare = text.trim().replace(/^[a-z]+:\/\//i, "");
  const isHost = /^[\w.-]+(?::\d+)?(?:\/\S*)?$/.test(bare);
  const start = /^[\w.-]+:\d+|^localhost|^[\d.]+$/.test(bare) ? "http" : "https";
  const base = bare.includes("/") ? bare : `${bare}/v1`;
  return {
    ...wrong(`Cannot use \`${text}\` as an upstream's URL`),
    help: isHost
      ? `did you mean \`${start}://${base}\`?`
      : "use the base URL from the model server's documentation",
  };
}

function wrong(message: string): Diagnostic {
  return {
    code: "upstream_url",
    severity: "error",
    message,
    expected: "an http or https URL such as http://127.0.0.1:8080/v1",
  };
}
