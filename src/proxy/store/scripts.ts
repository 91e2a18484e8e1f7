/**
 * The scripts that a Valkey or Redis server runs, each as one atomic step. A scope is one hash:
 *
 *     dragoman:{SCOPE}:values      key → `UNTIL VERSION JSON`, where UNTIL is the server's time in milliseconds
 *     dragoman:{SCOPE}:done:ID     the outcome of a batch: 1 applied, 0 refused
 *     dragoman:{NAME}:text         a text that an answer left
 *
 * The braces keep the keys of a scope in one slot of a cluster. A value in another form is from another program. It is
 * ignored; if it broke the script, the store would seem to be away for every request of the scope.
 *
 * @module
 */
import type { Batch } from "./backend.ts";

export function valuesName(prefix: string, scope: string): string {
  return `${prefix}:{${scope}}:values`;
}

export function doneName(prefix: string, { scope, id }: Batch): string {
  return `${prefix}:{${scope}}:done:${id}`;
}

export function textName(prefix: string, name: string): string {
  return `${prefix}:{${name}}:text`;
}

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: a hash of values. Returns key, version, JSON and remaining time of each living value. */
export const READ = `${NOW}
local all = redis.call('HGETALL', KEYS[1])
local found = {}
for i = 1, #all, 2 do
  local till, version, json = string.match(all[i + 1], '^(%d+) (%S+) (.*)$')
  if till and tonumber(till) > now then
    for _, part in ipairs({ all[i], version, json, tostring(tonumber(till) - now) }) do
      found[#found + 1] = part
    end
  end
end
return found
`;

/**
 * KEYS: a hash of values, the outcome of the batch. ARGV: the new version of the values, the time to live of the outcome,
 * the most values of a scope, then four for each change: kind, key, and two more. Returns 1 or 0.
 */
export const APPLY = `${NOW}
local known = redis.call('GET', KEYS[2])
if known then return tonumber(known) end
local function read(key)
  local text = redis.call('HGET', KEYS[1], key)
  if not text then return nil end
  local till, version, json = string.match(text, '^(%d+) (%S+) (.*)$')
  if not till or tonumber(till) <= now then return nil end
  return version, json
end
for i = 4, #ARGV, 4 do
  if ARGV[i] == 'take' and ARGV[i + 2] ~= '' and read(ARGV[i + 1]) ~= ARGV[i + 2] then
    redis.call('SET', KEYS[2], '0', 'PX', ARGV[2])
    return 0
  end
end
local longest = 0
local function write(key, ttl, json)
  longest = math.max(longest, tonumber(ttl))
  redis.call('HSET', KEYS[1], key, string.format('%.0f %s %s', now + tonumber(ttl), ARGV[1], json))
end
for i = 4, #ARGV, 4 do
  local kind, key, x, y = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if kind == 'take' then
    redis.call('HDEL', KEYS[1], key)
  elseif kind == 'put' then
    write(key, x, y)
  else
    local _, json = read(key)
    write(key, x, string.format('%.17g', (tonumber(json or '') or 0) + tonumber(y)))
  end
end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then
  local all, ages = redis.call('HGETALL', KEYS[1]), {}
  for i = 1, #all, 2 do ages[#ages + 1] = { tonumber(string.match(all[i + 1], '^%d+') or 0), all[i] } end
  table.sort(ages, function(one, other) return one[1] < other[1] end)
  for i = 1, #ages - math.floor(tonumber(ARGV[3]) * 0.9) do redis.call('HDEL', KEYS[1], ages[i][2]) end
end
if redis.call('PTTL', KEYS[1]) < longest then redis.call('PEXPIRE', KEYS[1], longest) end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 1
`;

export function changeArguments({ changes }: Batch): string[] {
  return changes.flatMap((change) => {
    if (change.kind === "take") return ["take", change.key, change.version ?? "", ""];
    const written = change.kind === "put" ? change.json : String(change.by);
    return [change.kind, change.key, String(change.ttlMs), written];
  });
}
