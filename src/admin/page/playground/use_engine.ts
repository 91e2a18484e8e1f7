/** The engine in a component: the setup of the server, and the newest answers to what the playground contains. @module */
/// <reference lib="dom" />
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { PlaygroundSetup } from "../../routes/playground.ts";
import { present } from "../../../engine/object/present.ts";
import { read } from "../server.ts";
import { EngineClient, startWorker } from "./engine_client.ts";
import type { Answers } from "./protocol.ts";
import type { PlayState } from "./state.ts";

/** The newest answers; undefined until there are any. */
interface Newest {
  /** How an answer is read, with its text: the contents may have changed since. */
  readonly trace?: { readonly text: string; readonly found: Answers["trace"] };
  readonly check?: Answers["check"];
  readonly examples?: Answers["examples"];
}

interface UsedEngine {
  /** The setup; undefined until it is loaded. */
  readonly setup: PlaygroundSetup | undefined;
  /** Asks questions besides those that the contents raise. */
  readonly client: EngineClient;
  readonly newest: Newest;
  /** Why the engine doesn't work; empty if it does. */
  readonly failure: string;
  readonly reload: () => Promise<void>;
}

export function useEngine(play: PlayState | undefined): UsedEngine {
  const [setup, setSetup] = useState<PlaygroundSetup>();
  const [newest, setNewest] = useState<Newest>({});
  const [failure, setFailure] = useState("");
  const started = useRef<EngineClient>();
  started.current ??= new EngineClient(startWorker());
  const client = started.current;
  useEffect(() => () => client.close(), [client]);
  const reload = useCallback(async () => {
    try {
      const loaded = await read<PlaygroundSetup>("playground");
      client.use(loaded);
      setSetup(loaded);
      setFailure("");
    } catch (cause) {
      setFailure(cause instanceof Error ? cause.message : String(cause));
    }
  }, [client]);
  useEffect(() => void reload(), [reload]);
  const keep = (part: Newest, why: string) => {
    if (why === "") setNewest((last) => ({ ...last, ...part }));
    setFailure(why);
  };
  const { text = "", tools = "", client: name = "", rule = "" } = play ?? {};
  useEffect(() => {
    if (play === undefined) return;
    client.ask(
      "trace",
      { text, tools, client: name, rule },
      (found, why) => keep(found === undefined ? {} : { trace: { text, found } }, why),
    );
  }, [client, setup, text, tools, name, rule]);
  useEffect(() => {
    if (rule.trim() === "") {
      client.forget("check");
      client.forget("examples");
      return setNewest(({ trace }) => present({ trace }));
    }
    client.ask("check", { rule }, (check, why) => keep(present({ check }), why));
    client.ask("examples", { rule }, (examples, why) => keep(present({ examples }), why));
  }, [client, setup, rule]);
  return { setup, client, newest, failure, reload };
}
