/** The keyboard of the list: `j` and `k` select, Enter opens, Esc closes, `/` goes to the filter, `p` pauses, `c` clears, `?` shows the keys. @module */
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";

interface ListKeys {
  readonly ids: readonly string[];
  readonly opened: string | undefined;
  /** Opens a row; an empty text closes it. */
  readonly open: (id: string) => void;
  readonly acts: Readonly<Record<ActKey, () => void>>;
}

type ActKey = "pause" | "clear" | "help";

export function useListKeys(keys: ListKeys): string | undefined {
  const [selected, setSelected] = useState<string>();
  const now = useRef({ ...keys, selected });
  now.current = { ...keys, selected };
  useEffect(() => {
    const act = (pressed: KeyboardEvent) => {
      if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.defaultPrevented) return;
      const { ids, opened, open, selected, acts } = now.current;
      const step = keyStep(pressed, isEditing(pressed.target));
      // Enter on a link or a button is its own.
      const isPressed = (pressed.target as Element | null)?.closest?.("a, button, summary") != null;
      if (step === undefined || (step === "open" && isPressed)) return;
      if (step === "filter") {
        pressed.preventDefault();
        document.getElementById("filter")?.focus();
      } else if (step === "leave") (pressed.target as HTMLElement).blur();
      else if (step === "pause" || step === "clear" || step === "help") acts[step]();
      else if (step === "close") open("");
      else if (step === "open") selected !== undefined && open(selected);
      else {
        const next = nextId(ids, { from: selected ?? opened, step });
        setSelected(next);
        if (opened !== undefined && next !== undefined) open(next);
        document.getElementById(`row-${next}`)?.scrollIntoView({ block: "nearest" });
      }
    };
    addEventListener("keydown", act);
    return () => removeEventListener("keydown", act);
  }, []);
  return selected;
}

type KeyStep = 1 | -1 | "open" | "close" | "filter" | "leave" | ActKey;

/** What a key does; undefined: nothing. */
export function keyStep({ key }: { readonly key: string }, isEditing: boolean): KeyStep | undefined {
  if (isEditing) return key === "Escape" ? "leave" : undefined;
  switch (key) {
    case "j":
      return 1;
    case "k":
      return -1;
    case "Enter":
      return "open";
    case "Escape":
      return "close";
    case "/":
      return "filter";
    case "p":
      return "pause";
    case "c":
      return "clear";
    case "?":
      return "help";
  }
}

/** The row before or after another; the first one if there is none. */
export function nextId(
  ids: readonly string[],
  { from, step }: { readonly from: string | undefined; readonly step: 1 | -1 },
): string | undefined {
  const at = from === undefined ? -1 : ids.indexOf(from);
  return at < 0 ? ids[0] : ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}

/** Whether keys go to a field, or to an element that has its own use for them. */
function isEditing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}
