/**
 * Chooses the upstreams that may answer a request, their order, and when the next one is asked.
 *
 *     first    a                    the first that serves the model, and no other
 *     order    a ─▶ b ─▶ c          the next one if an upstream can't be reached, answers 429, 502 or 503, or has nothing to answer
 *     spread   b ─▶ c ─▶ a          the same, but each conversation begins with its own one
 *
 * If none answers and one was busy (429), its answer is the client's, because it can state when to ask again.
 *
 * Envoy calls this priorities with `retry_on: gateway-error,connect-failure` and ejection; LiteLLM calls it order,
 * fallbacks and cooldown. Once an upstream has begun to answer, no other is asked.
 *
 * @module
 */
import type { Config, UpstreamConfig } from "../config/schema.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { drop, readError } from "./error_text.ts";
import { chooseUpstream, serves, type UpstreamAnswer } from "./upstream.ts";

interface Wanted {
  readonly name: string | undefined;
  readonly model: string | undefined;
  /** The hash of the conversation, which stays with one upstream, so that the server's prompt cache works. */
  readonly conversation: () => string;
  /** Whether an upstream failed lately; it is then asked last. */
  readonly isDown?: ((name: string) => boolean) | undefined;
}

/** The upstreams to ask, the first one first; never empty. Or an error that lists what there is. */
export function upstreamsFor(
  config: Config,
  { name, model, conversation, isDown = () => false }: Wanted,
): readonly UpstreamConfig[] | HttpError {
  const first = chooseUpstream(config, { name, model });
  const { strategy } = config.routing;
  if (isError(first) || name !== undefined || strategy === "first") return isError(first) ? first : [first];
  // The mode of a request is that of its first upstream, so those of the other mode can't take its place.
  const all = config.upstreams.filter((one) =>
    (model === undefined || serves(one, model)) && one.dry_run === first.dry_run
  );
  if (all.length < 2) return [first];
  const start = strategy === "spread" ? parseInt(conversation().slice(0, 8), 16) % all.length : 0;
  const turned = [...all.slice(start), ...all.slice(0, start)];
  return [...turned.filter((one) => !isDown(one.name)), ...turned.filter((one) => isDown(one.name))];
}

/** Statuses of an upstream that can't answer now. */
const NEXT_STATUSES: readonly number[] = [429, 502, 503];

/** Errors of an upstream that the request didn't reach. */
const NEXT_ERRORS: readonly string[] = ["upstream_unreachable", "connect_timeout"];

/** Why the next upstream is asked instead of taking this answer; undefined if it is taken. */
export function whyNext(answered: UpstreamAnswer | HttpError): string | undefined {
  if (isError(answered)) return NEXT_ERRORS.includes(answered.code) ? answered.code : undefined;
  return whyNextOf(answered.response.status);
}

/** The same for a status, also one that an answer states as the code of its error. */
export function whyNextOf(status: number): string | undefined {
  return NEXT_STATUSES.includes(status) ? String(status) : undefined;
}

/** The status of an upstream that is busy. It can state when to ask again. */
export const BUSY = "429";

/** An answer that the client gets if no other upstream has a better one. Nothing of it is open. */
export interface KeptAnswer {
  readonly answered: UpstreamAnswer;
  /** The tokens of the answers before it. */
  readonly spent?: unknown;
}

/** Thrown to leave an upstream before anything of its answer was sent; only `answerRequest` catches it. */
export class NextUpstream extends Error {
  /** `why`: a status, an error's code, or what the answer is; `kept`: it can be the client's; `spent`: all tokens so far. */
  constructor(readonly why: string, readonly kept?: KeptAnswer, readonly spent?: unknown) {
    super(`Trying the next upstream: ${why}`);
  }
}

/** Leaves an upstream whose answer isn't taken, and asks for the next one. */
export async function leaveUpstream(
  answered: UpstreamAnswer | HttpError,
  { why, limits }: { readonly why: string; readonly limits: ReadLimits },
): Promise<never> {
  if (isError(answered)) throw new NextUpstream(why);
  const read = why === BUSY ? await readError(answered, limits) : undefined;
  answered.deadline.stop();
  if (read !== undefined && read.text !== "") throw new NextUpstream(why, { answered: read.same });
  await drop(read?.same ?? answered).catch(() => {});
  throw new NextUpstream(why);
}
