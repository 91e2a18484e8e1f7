/** The stream of changed requests, as a hook: connects when a view opens, and again when the connection is lost. @module */
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import type { LiveBatch, LiveRequest } from "../live/request.ts";
import { LiveList } from "./live_list.ts";

export interface Live {
  /** The requests, the latest first. */
  readonly requests: readonly LiveRequest[];
  readonly hasContents: boolean;
  readonly state: "connecting" | "open" | "lost";
}

const RETRY_MS = 2000;

/** The pause after a drawing, so that the page has time for a person however many messages come. */
const DRAW_MS = 50;

const NOTHING: Live = { requests: [], hasContents: false, state: "connecting" };

export function useLive(): Live {
  const [live, setLive] = useState<Live>(NOTHING);
  const list = useRef(new LiveList()).current;
  useEffect(() => {
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    let drawnAt = -Infinity;
    let [hasContents, isOpen] = [false, false];
    const draw = () => {
      pause = undefined;
      if (!isOpen) return;
      // The browser lays out and paints after this function returns.
      setTimeout(() => drawnAt = performance.now());
      setLive({ requests: list.latest, hasContents, state: "open" });
    };
    // A hidden page has no frames, so it isn't drawn.
    const planDraw = () => {
      const leftMs = Math.max(0, DRAW_MS - (performance.now() - drawnAt));
      pause ??= setTimeout(() => frame = requestAnimationFrame(draw), leftMs);
    };
    const leave = () => {
      source?.close();
      source = undefined;
      isOpen = false;
    };
    const connect = () => {
      clearTimeout(retry);
      if (document.hidden || source !== undefined) return;
      source = new EventSource("live");
      source.onmessage = ({ data }) => {
        const batch: LiveBatch = JSON.parse(data);
        list.apply(batch);
        [hasContents, isOpen] = [batch.hasContents, true];
        planDraw();
      };
      source.onerror = () => {
        leave();
        setLive((known) => ({ ...known, state: "lost" }));
        retry = setTimeout(connect, RETRY_MS);
      };
    };
    // A browser has few connections to a host, so a page that no one sees leaves its own to others.
    const follow = () => document.hidden ? leave() : connect();
    connect();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      leave();
      clearTimeout(retry);
      clearTimeout(pause);
      cancelAnimationFrame(frame);
    };
  }, []);
  return live;
}
