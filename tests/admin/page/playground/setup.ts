/**
 * The setup of the playground as a server gives it, for tests of the engine.
 *
 * @module
 */
import type { PlaygroundSetup } from "../../../../src/admin/routes/playground.ts";
import { Engine } from "../../../../src/admin/page/playground/engine.ts";
import { playgroundSetup } from "../../../../src/cli/service/playground.ts";
import { loadSetup, type Setup } from "../../../../src/cli/service/setup.ts";
import { temporaryFolder } from "../../../support/temporary_folder.ts";
import { createTestContext } from "../../../support/context.ts";

/** A setup, as the server has it and as the page gets it. */
export interface BothSetups {
  readonly server: Setup;
  readonly page: PlaygroundSetup;
  readonly engine: Engine;
}

/** Loads the shipped rules with a configuration in a folder of its own. */
export async function loadBoth(
  configuration = "",
  files: Readonly<Record<string, string>> = {},
): Promise<BothSetups> {
  const workingDirectory = await temporaryFolder({ "dragoman.yaml": configuration, ...files });
  const context = createTestContext({ workingDirectory });
  const server = await loadSetup({}, context, { withExamples: true });
  const page: PlaygroundSetup = JSON.parse(JSON.stringify(await playgroundSetup(server, context)));
  return { server, page, engine: new Engine(page) };
}
