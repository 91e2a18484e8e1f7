import assert from "node:assert/strict";
import { join } from "node:path";
import { ENGINE_FLAGS } from "../../src/cli/engine_flags.ts";
import { runService } from "../../src/cli/service_verb.ts";
import { type Manager, unitPath, unitText } from "../../src/cli/service_units.ts";
import { findProgram } from "../support/find_program.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** Runs the verb for a user whose home is empty, until the folder is removed. */
async function inHome(
  use: (
    run: (words: string, options?: { os?: string; code?: number }) => Promise<Ran>,
    home: string,
  ) => Promise<void>,
) {
  const home = await temporaryFolder();
  await use(async (words, { os = "linux", code = 0 } = {}) => {
    const executed: string[] = [];
    const context = createTestContext({ workingDirectory: home, environment: { HOME: home } });
    const [action = "", ...flags] = words.split(" ");
    const values = Object.fromEntries(flags.map((flag) => [flag.slice(2), true]));
    const execute = (
      command: readonly string[],
    ) => (executed.push(command.join(" ")), Promise.resolve(code));
    const positionals = action === "" ? [] : [action];
    const exit = await runService({ values, positionals }, { context, os, execute });
    return { exit, executed, ...context.printed };
  }, home);
}

interface Ran {
  readonly exit: number;
  readonly executed: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
}

Deno.test("service installs a unit, shows it, and removes it", async () => {
  await inHome(async (run, home) => {
    const file = join(home, ".config/systemd/user/dragoman.service");
    const installed = await run("install");
    assert.deepEqual([installed.exit, installed.executed], [0, [
      "systemctl --user daemon-reload",
      "systemctl --user enable --now dragoman",
    ]], installed.stderr);
    const unit = await Deno.readTextFile(file);
    // A manager of one user has no such target.
    assert.doesNotMatch(unit, /network-online/);
    assert.match(unit, /\nExecReload=\/bin\/kill -HUP \$MAINPID\n/);
    assert.ok(unit.includes(` serve --config ${join(home, "dragoman.yaml")}\n`), unit);
    const again = await run("install");
    assert.deepEqual([again.exit, again.executed], [1, []]);
    assert.match(again.stderr, /file_exists.*\n.*service remove/);
    assert.deepEqual((await run("status")).executed, ["systemctl --user --no-pager status dragoman"]);
    assert.deepEqual((await run("remove")).executed, ["systemctl --user disable --now dragoman"]);
    await assert.rejects(Deno.stat(file), Deno.errors.NotFound);
    assert.equal((await run("remove")).exit, 1);
  });
});

Deno.test("service --print changes nothing, for every manager", async () => {
  await inHome(async (run, home) => {
    const system = await run("install --system --print");
    assert.match(system.stdout, /^# \/etc\/systemd\/system\/dragoman\.service\n\[Unit\]/);
    assert.match(system.stdout, /\nProtectSystem=strict\n[^]*\nWantedBy=multi-user\.target\n/);
    assert.match((await run("install --print")).stdout, /\nWantedBy=default\.target\n/);
    assert.ok(system.stdout.includes(` ${ENGINE_FLAGS} `), system.stdout);
    assert.ok(
      system.stdout.includes(
        ` --allow-write=${
          ["logs", "captures", "rules", ".cache/dragoman"].map((name) => join(home, name)).join(",")
        } `,
      ),
      system.stdout,
    );
    assert.match(
      (await run("install --print", { os: "darwin" })).stdout,
      /LaunchAgents\/dragoman\.plist\n<\?xml/,
    );
    assert.match((await run("remove --print")).stdout, /^# systemctl --user disable[^]*\n# rm /);
    for (const { executed } of [system, await run("remove --print")]) assert.deepEqual(executed, []);
    assert.deepEqual([...Deno.readDirSync(home)], []);
  });
});

Deno.test("service names what to do where it can't", async () => {
  await inHome(async (run) => {
    assert.match((await run("")).stderr, /install`, `status` or `remove`/);
    assert.match((await run("instal")).stderr, /Unknown action `instal`/);
    const windows = await run("install", { os: "windows" });
    assert.deepEqual([windows.exit, /scheduler/.test(windows.stderr)], [2, true]);
    const failed = await run("status", { code: 1 });
    assert.deepEqual([failed.exit, /service_failed.*code 1[^]*--print/.test(failed.stderr)], [1, true]);
  });
});

Deno.test("service status names a stopped service and one that isn't installed, as no failure of the program", async () => {
  await inHome(async (run) => {
    const table: [string, { os?: string; code: number }, string][] = [
      ["status", { code: 3 }, "The service is stopped. To start it: `systemctl --user start dragoman`\n"],
      ["status --system", { code: 3 }, "The service is stopped. To start it: `systemctl start dragoman`\n"],
      ["status", { code: 4 }, "The service isn't installed. To install it: `dragoman service install`\n"],
      [
        "status",
        { os: "darwin", code: 113 },
        "The service isn't installed. To install it: `dragoman service install`\n",
      ],
    ];
    for (const [words, options, expected] of table) {
      const { exit, stdout, stderr } = await run(words, options);
      assert.deepEqual([exit, stdout, stderr], [1, expected, ""]);
    }
    // These codes of `systemctl status` mean something else for another command.
    assert.match((await run("install", { code: 3 })).stderr, /service_failed.*code 3/);
  });
});

Deno.test("units keep odd paths whole, and systemd accepts them", async () => {
  const plan = {
    home: "/home/me",
    folder: "/srv/my $proxy 100%",
    command: ["/bin/true", "a b", "100%", '$x"'],
  };
  const unit = unitText("systemd", plan);
  assert.ok(unit.includes('ExecStart=/bin/true "a b" 100%% "$$x\\""\n'), unit);
  assert.ok(unit.includes("WorkingDirectory=/srv/my $proxy 100%%\n"));
  const job = unitText("launchd", { ...plan, command: ["a<b&c"] });
  assert.ok(job.includes("<string>a&lt;b&amp;c</string>"));
  const analyze = await findProgram("systemd-analyze");
  if (analyze === undefined) return console.log("systemd-analyze isn't here: skipped");
  const folder = await temporaryFolder();
  for (const manager of ["systemd", "systemd-user"] as const satisfies readonly Manager[]) {
    const file = join(folder, "dragoman.service");
    await Deno.writeTextFile(file, unitText(manager, { ...plan, folder: "/tmp" }));
    const { code, stderr } = await new Deno.Command(analyze, { args: ["verify", file] }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    assert.ok(unitPath(manager, plan).endsWith("dragoman.service"));
  }
});
