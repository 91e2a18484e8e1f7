/**
 * The task `test:servers`: installs the pinned servers once, then runs them with the parrot, and real agents through some of
 * them. Arguments go to `deno test`, such as `--filter vllm`. Where Python is absent, it prints SKIPPED and exits with 0.
 *
 * `--install=NAME,NAME` installs only these of the environments in pins.json, and runs what is there. `--newest` installs the
 * newest servers in a folder of their own, and prints what is otherwise than with the pinned ones.
 *
 * @module
 */
const NEWEST = "--newest";
if (Deno.args.includes(NEWEST)) Deno.env.set("DRAGOMAN_SERVERS", "newest");

const { installServers, makeParrot } = await import("./install.ts");

const SUITES = ["./suite.ts", "./templates.ts", "./thoughts.ts"].map((name) =>
  new URL(name, import.meta.url).pathname
);

const INSTALL = "--install=";

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

async function testServers(): Promise<number> {
  const chosen = Deno.args.find((argument) => argument.startsWith(INSTALL))?.slice(INSTALL.length).split(",");
  const { ready, missing } = await installServers(chosen);
  for (const [reason, names] of missing) console.log(`SKIPPED ${names.join(", ")}: ${reason}`);
  if (ready.length === 0) return 0;
  if (await makeParrot() === undefined) {
    console.log("SKIPPED all servers: the packages that make the parrot aren't installed");
    return 0;
  }
  const others = Deno.args.filter((argument) => argument !== NEWEST && !argument.startsWith(INSTALL));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", `--config=${CONFIG}`, "--no-check", "--allow-all", ...others, ...SUITES],
    stdin: "null",
  }).spawn();
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

Deno.exit(await testServers());
