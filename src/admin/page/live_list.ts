/** The requests that the page knows, the latest first, and which of them a filter lets through. @module */
import { dropOldest } from "../../engine/object/drop_oldest.ts";
import { endsOf } from "../audit/summary.ts";
import { isRunning, type LiveBatch, type LiveRequest } from "../live/request.ts";

/** What a request must have. An empty text means anything. */
export interface LiveFilter {
  /** Words that all occur in the request. */
  readonly text: string;
  readonly client: string;
  readonly model: string;
  readonly upstream: string;
  readonly wire: string;
  readonly key: string;
  /** A state, or `running`, or `noted` for requests with text left as text, near misses, repairs or broken calls. */
  readonly state: string;
}

export const FILTER_NAMES = ["text", "client", "model", "upstream", "wire", "key", "state"] as const;

const REQUESTS_MAX = 500;

const CHOICES_MAX = 50;

export class LiveList {
  readonly #requests = new Map<string, LiveRequest>();

  apply({ isWhole, requests }: Pick<LiveBatch, "isWhole" | "requests">): void {
    if (isWhole) this.#requests.clear();
    for (const request of requests) this.#requests.set(request.id, request);
    dropOldest(this.#requests, REQUESTS_MAX);
  }

  /** A request; undefined if it isn't in the list. */
  get(id: string): LiveRequest | undefined {
    return this.#requests.get(id);
  }

  get latest(): LiveRequest[] {
    return [...this.#requests.values()].reverse();
  }
}

export function filterRequests(requests: readonly LiveRequest[], filter: LiveFilter): LiveRequest[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return requests.filter((request) =>
    (filter.client === "" || (request.client ?? "none") === filter.client) &&
    (filter.model === "" || request.model === filter.model) &&
    (filter.upstream === "" || request.upstream === filter.upstream) &&
    (filter.wire === "" || (request.wire ?? "none") === filter.wire) &&
    (filter.key === "" || (request.key ?? "none") === filter.key) &&
    (filter.state === "" || hasState(request, filter.state)) &&
    (words.length === 0 || hasWords(request, words))
  );
}

/** The values that a filter can choose, from the requests that there are. */
export function choicesOf(requests: readonly LiveRequest[]) {
  const values = (of: (request: LiveRequest) => string | null) =>
    [...new Set(requests.flatMap((request) => of(request) ?? []))].slice(0, CHOICES_MAX).sort();
  return {
    client: values(({ client, route }) => route === null ? client ?? "none" : null),
    model: values(({ model }) => model),
    upstream: values(({ upstream }) => upstream),
    wire: values(({ wire }) => wire),
    key: values(({ key, route }) => route === null ? key ?? "none" : key),
  };
}

/** Whether something happened in a request that someone should look at. */
function isNoted(request: LiveRequest): boolean {
  return request.rejected > 0 || endsOf(request).some(({ end }) => end !== "made" && end !== "would");
}

function hasState(request: LiveRequest, state: string): boolean {
  if (state === "running") return isRunning(request);
  return state === "noted" ? isNoted(request) : request.state === state;
}

function hasWords(request: LiveRequest, words: readonly string[]): boolean {
  const { client, model, upstream, wire, key, error, message, route, status, mode, id } = request;
  const text = [
    client,
    model,
    upstream,
    wire,
    key,
    error,
    route,
    message,
    ...endsOf(request).map(({ text, more }) => `${text} ${more}`),
    ...request.remarks,
    status,
    mode,
    id,
  ]
    .join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
