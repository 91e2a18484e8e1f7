/**
 * The same counting as `quota.ts`, as scripts that a Valkey or Redis server runs, each as one atomic step. A key has a hash
 * with the moments at which its buckets are empty (`requests`, `tokens`), and a sorted set of leases by their ends.
 *
 * @module
 */
import { LEASE_MS, MINUTE_MS, type QuotaRequest, type QuotaUse, STREAM_RETRY_MS } from "./quota.ts";

/** The names of what is kept about a client key. */
export function quotaNames(prefix: string, { key }: QuotaRequest): [buckets: string, leases: string] {
  return [`${prefix}:{key:${key}}:buckets`, `${prefix}:{key:${key}}:leases`];
}

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function ends(bucket)
  return math.max(tonumber(redis.call('HGET', KEYS[1], bucket) or '0'), now)
end
local function fill(bucket, till)
  redis.call('HSET', KEYS[1], bucket, string.format('%.3f', till))
  local left = math.ceil(till - now) + 1000
  if redis.call('PTTL', KEYS[1]) < left then redis.call('PEXPIRE', KEYS[1], left) end
end
`;

/** KEYS: buckets, leases. ARGV: lease, requests, tokens, streams; 0 for no limit. Returns the limit and the wait, or nothing. */
export const ADMIT = `${NOW}
local requests, tokens, streams = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local limit, wait = false, 0
local function refuse(name, ms)
  if ms > wait then limit, wait = name, ms end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if streams > 0 and redis.call('ZCARD', KEYS[2]) >= streams then refuse('streams', ${STREAM_RETRY_MS}) end
if requests > 0 then
  local ms = ends('requests') + ${MINUTE_MS} / requests - ${MINUTE_MS} - now
  if ms > 0.5 then refuse('requests', ms) end
end
if tokens > 0 then
  local ms = ends('tokens') - ${MINUTE_MS} - now
  if ms >= 0 then refuse('tokens', math.max(ms, 1)) end
end
if limit then return { limit, string.format('%.0f', math.ceil(wait)) } end
if requests > 0 then fill('requests', ends('requests') + ${MINUTE_MS} / requests) end
if streams > 0 then
  redis.call('ZADD', KEYS[2], now + ${LEASE_MS}, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ${2 * LEASE_MS})
end
return {}
`;

/** KEYS: buckets, leases. ARGV: lease. */
export const RENEW = `${NOW}
redis.call('ZADD', KEYS[2], 'XX', now + ${LEASE_MS}, ARGV[1])
redis.call('PEXPIRE', KEYS[2], ${2 * LEASE_MS})
`;

/** KEYS: buckets, leases. ARGV: lease, tokens used, tokens a minute or 0. */
export const RELEASE = `${NOW}
redis.call('ZREM', KEYS[2], ARGV[1])
local most = tonumber(ARGV[3])
if most > 0 then fill('tokens', ends('tokens') + tonumber(ARGV[2]) * ${MINUTE_MS} / most) end
`;

/** The arguments of `ADMIT`. */
export function admitArguments(
  { lease, limits: { requests = 0, tokens = 0, streams = 0 } }: QuotaRequest,
): string[] {
  return [lease, ...[requests, tokens, streams].map(String)];
}

/** The arguments of `RELEASE`. */
export function releaseArguments({ lease, tokens, limits }: QuotaUse): string[] {
  return [lease, ...[tokens, limits.tokens ?? 0].map(String)];
}
