/**
 * Which server an upstream is: the one that the configuration names, or the one that was recognized.
 *
 * @module
 */
import type { UpstreamConfig } from "../config/schema.ts";
import { PROFILES, type ServerProfile } from "./profiles/profiles.ts";
import { type RecognizedServer, serverOfHeaders } from "./recognize_server.ts";

/** The server of an upstream. */
export interface KnownServer extends Pick<RecognizedServer, "server" | "version"> {
  readonly profile: ServerProfile;
}

/** Remembers recognized servers, over hot reloads. */
export class Servers {
  readonly #recognized = new Map<string, RecognizedServer>();
  readonly #reports: ((recognized: RecognizedServer) => void)[] = [];

  /** Reports each server when it is recognized, and again if it is another one. */
  watch(report: (recognized: RecognizedServer) => void): void {
    this.#reports.push(report);
  }

  /** The server of an upstream; undefined if it is unknown. */
  of(upstream: UpstreamConfig): KnownServer | undefined {
    const recognized = this.#recognized.get(upstream.name);
    const isSame = recognized?.url === upstream.url;
    const server = upstream.server !== "auto" ? upstream.server : isSame ? recognized?.server : undefined;
    const profile = server === undefined ? undefined : PROFILES[server];
    if (server === undefined || profile === undefined) return undefined;
    const version = isSame && recognized?.server === server ? recognized.version : undefined;
    return { server, version, profile };
  }

  /** Learns which server an upstream is. */
  learn(recognized: RecognizedServer): void {
    const known = this.#recognized.get(recognized.upstream);
    const fields = ["url", "server", "version"] as const;
    if (known !== undefined && fields.every((field) => known[field] === recognized[field])) return;
    this.#recognized.set(recognized.upstream, recognized);
    for (const report of this.#reports) report(recognized);
  }

  /** Learns from the headers of any answer, as long as the server is unknown. */
  see(upstream: UpstreamConfig, headers: Headers): void {
    if (upstream.server !== "auto" || this.of(upstream) !== undefined) return;
    const server = serverOfHeaders(headers);
    if (server !== undefined) this.learn({ upstream: upstream.name, url: upstream.url, server });
  }

  /** Every recognized server. */
  entries(): readonly RecognizedServer[] {
    return [...this.#recognized.values()];
  }
}
