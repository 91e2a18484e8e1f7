/** The context of one request, which every step from the gateway to the upstream takes. @module */
import type { NoteEvent } from "../../engine/event/event.ts";
import type { ApiRoute } from "../server/route.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { Reach } from "../upstream/upstream.ts";
import type { Beats } from "./chat_keep_alive.ts";
import type { Watchers } from "./exchange.ts";
import type { ItemMemory } from "./item_memory.ts";
import type { PrefixMemory } from "./prefix_memory.ts";
import type { ThoughtMemory } from "./thought_memory.ts";
import type { Service } from "./service.ts";

export interface ServerContext extends Pick<Watchers, "observe" | "watches" | "failed"> {
  readonly service: Service;
  readonly newId: () => string;
  readonly sample: (request: Request) => Promise<Response>;
  /** How the latest requests of conversations began. */
  readonly prefixes?: PrefixMemory | undefined;
  readonly isDown?: ((name: string) => boolean) | undefined;
  /** Waits until it is known which server an upstream is; false if that takes too long. */
  readonly settle?: ((upstream: UpstreamConfig) => Promise<boolean>) | undefined;
  readonly seeUpstream?: ((name: string, answers: boolean) => void) | undefined;
  /** Opens a connection and closes it again. */
  readonly connect?: Reach["connect"];
  /** Asks an upstream; over the network unless given. */
  readonly fetch?: Reach["send"];
}

export interface RequestContext extends ServerContext, Watchers {
  readonly route: ApiRoute;
  /** Aborts when the client has gone or the server stops. */
  readonly signal: AbortSignal;
  /** The items of the client's earlier answers. */
  readonly items: ItemMemory;
  /** The thoughts of the client's earlier answers. */
  readonly thoughts?: ThoughtMemory | undefined;
  readonly key?: string | undefined;
  /** What tells the request's client from others: nothing kept between requests passes from one to another. A secret. */
  readonly owner: string;
  /** Takes the tokens that an answer outside the chat states; undefined if no limit counts tokens. */
  readonly stateTokens?: ((tokens: number) => void) | undefined;
  /** What the client gets while there is nothing to send. */
  readonly beats?: Beats | undefined;
  /** What is already worth a note about it. */
  readonly notes?: readonly NoteEvent[];
}
