/**
 * Loaded by Node before the agent: nothing but loopback can be reached, and every try is written down.
 * Only `net` and `dns` are patched, because all that Node speaks goes through them.
 */
"use strict";
const dns = require("node:dns");
const fs = require("node:fs");
const net = require("node:net");
const process = require("node:process");

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** The error for a host that may not be reached; undefined for one that may. */
function refuse(host) {
  if (host === undefined || LOOPBACK.has(String(host))) return undefined;
  fs.appendFileSync(process.env.GUARD_LOG, `${host}\n`);
  return Object.assign(new Error(`The test's guard refuses ${host}`), { code: "ENETUNREACH" });
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node's own callers give one array of what they have sorted already.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const isOptions = typeof first === "object" && first !== null;
  const error = isOptions ? refuse(first.host) : refuse(typeof second === "string" ? second : undefined);
  if (error === undefined) return Reflect.apply(connect, this, args);
  process.nextTick(() => this.destroy(error));
  return this;
};

for (const name of Object.keys(dns)) {
  if (!/^(lookup|resolve)/.test(name) || typeof dns[name] !== "function") continue;
  const original = dns[name];
  dns[name] = (host, ...rest) => {
    const error = refuse(host);
    if (error === undefined) return original(host, ...rest);
    process.nextTick(() => rest.at(-1)(error));
  };
}
for (const name of Object.keys(dns.promises)) {
  if (!/^(lookup|resolve)/.test(name) || typeof dns.promises[name] !== "function") continue;
  const original = dns.promises[name];
  dns.promises[name] = (host, ...rest) => {
    const error = refuse(host);
    return error === undefined ? original(host, ...rest) : Promise.reject(error);
  };
}
