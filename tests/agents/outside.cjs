/** Tries to leave the machine in every way that an agent has; prints what answered. */
const dns = require("node:dns");
const net = require("node:net");

const tries = {
  fetch: () => fetch("http://192.0.2.1/"),
  name: () => fetch("https://example.invalid/"),
  lookup: () => dns.promises.lookup("lookup.invalid"),
  resolve: () => new Promise((done, fail) => dns.resolve4("resolve.invalid", (e) => e ? fail(e) : done())),
  connect: () =>
    new Promise((done, fail) => net.connect(9, "192.0.2.2").on("error", fail).on("connect", done)),
};

async function main() {
  for (const [name, attempt] of Object.entries(tries)) {
    await attempt().then(() => console.log(name), () => {});
  }
}

main();
