/**
 * Counts as `quota.ts` does, with scripts that a Valkey or Redis server runs, each as one atomic step. A key has a hash
 * with the times when its buckets will be empty (`BUCKETS`), and a sorted set of leases by their ends.
 *
 * @module
 */
import {
  BUCKETS,
  bucketsOf,
  LEASE_MS,
  QUOTA_NAMES,
  type QuotaRefusal,
  type QuotaRequest,
  type QuotaUse,
  STREAM_RETRY_MS,
} from "./quota.ts";

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

/** Lua for each bucket of requests or tokens; `most(INDEX)` is its limit in ARGV, from `first` on. */
function eachBucket(
  unit: "requests" | "tokens",
  { first, write }: { readonly first: number; readonly write: (bucket: string, ms: number) => string },
): string {
  return bucketsOf(unit).map((name, index) =>
    `most = tonumber(ARGV[${first + index}])\nif most > 0 then\n${write(name, BUCKETS[name].ms)}\nend`
  ).join("\n");
}

/**
 * KEYS: buckets, leases. ARGV: lease, streams, the buckets of requests, the buckets of tokens; 0 for no limit. Returns
 * the limit and the wait, or nothing.
 */
export const ADMIT = `${NOW}
local streams, most = tonumber(ARGV[2]), 0
local limit, wait = false, 0
local function refuse(name, ms)
  if ms > wait then limit, wait = name, ms end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if streams > 0 and redis.call('ZCARD', KEYS[2]) >= streams then refuse('streams', ${STREAM_RETRY_MS}) end
${
  eachBucket("requests", {
    first: 3,
    write: (name, ms) =>
      `  local ms = ends('${name}') + ${ms} / most - ${ms} - now\n  if ms > 0.5 then refuse('${name}', ms) end`,
  })
}
${
  eachBucket("tokens", {
    first: 3 + bucketsOf("requests").length,
    write: (name, ms) =>
      `  local ms = ends('${name}') - ${ms} - now\n  if ms >= 0 then refuse('${name}', math.max(ms, 1)) end`,
  })
}
if limit then return { limit, string.format('%.0f', math.ceil(wait)) } end
${
  eachBucket("requests", {
    first: 3,
    write: (name, ms) => `  fill('${name}', ends('${name}') + ${ms} / most)`,
  })
}
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

/** KEYS: buckets, leases. ARGV: lease, tokens used, the buckets of tokens or 0. */
export const RELEASE = `${NOW}
local most = 0
redis.call('ZREM', KEYS[2], ARGV[1])
${
  eachBucket("tokens", {
    first: 3,
    write: (name, ms) => `  fill('${name}', ends('${name}') + tonumber(ARGV[2]) * ${ms} / most)`,
  })
}
`;

export function admitArguments({ lease, limits }: QuotaRequest): string[] {
  const most = [
    limits.streams,
    ...[...bucketsOf("requests"), ...bucketsOf("tokens")].map((name) => limits[name]),
  ];
  return [lease, ...most.map((limit) => String(limit ?? 0))];
}

export function refusalIn(found: unknown): QuotaRefusal | undefined {
  const [name, wait] = Array.isArray(found) ? found.map(String) : [];
  const limit = QUOTA_NAMES.find((known) => known === name);
  return limit && { limit, retryMs: Number(wait) };
}

export function releaseArguments({ lease, tokens, limits }: QuotaUse): string[] {
  return [lease, String(tokens), ...bucketsOf("tokens").map((name) => String(limits[name] ?? 0))];
}
