/** A value of the server in a component: loaded at first, again after a pause, and again when something has changed. @module */
/// <reference lib="dom" />
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, ServerError } from "./server.ts";

interface Loaded<Value> {
  /** The value; undefined until it arrives. An error keeps the last one. */
  readonly value: Value | undefined;
  readonly error: ServerError | undefined;
  readonly reload: () => void;
}

/** Loads a value; with `everyMs`, again and again while the page is visible. */
export function useLoaded<Value>(path: string, everyMs?: number): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, "reload">>({ value: undefined, error: undefined });
  const isRefused = useRef(false);
  const wanted = useRef(path);
  wanted.current = path;
  const load = useCallback(async () => {
    try {
      const value = await read<Value>(path);
      isRefused.current = false;
      // The answer may come after another path is wanted.
      if (wanted.current === path) setState({ value, error: undefined });
    } catch (cause) {
      const error = cause instanceof ServerError ? cause : new ServerError(String(cause), 0);
      isRefused.current = error.status === 401;
      if (wanted.current === path) setState(({ value }) => ({ value, error }));
    }
  }, [path]);
  useEffect(() => {
    void load();
    if (everyMs === undefined) return;
    // Without the key there is nothing to ask for again.
    const timer = setInterval(() => document.hidden || isRefused.current || void load(), everyMs);
    return () => clearInterval(timer);
  }, [load, everyMs]);
  return { ...state, reload: () => void load() };
}
