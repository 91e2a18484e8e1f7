/** The keys of the editor. @module */
/// <reference lib="dom" />
import { type Completion, moveChoice, takeChoice } from "./completion.ts";
import type { EditHistory } from "./edit_history.ts";
import { breakLine, indent, type Selected } from "./editor_commands.ts";

interface KeyContext {
  readonly selected: Selected;
  readonly completion: Completion | undefined;
  readonly setCompletion: (completion: Completion | undefined) => void;
  readonly edit: (next: Selected | undefined) => void;
  readonly history: EditHistory;
  readonly suggest: () => void;
}

type PressedKey = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">;

/** What a key does; undefined: what the browser does. Tab leaves the editor, so that the page works with the keyboard alone. */
export function actionOf(pressed: PressedKey, context: KeyContext): (() => void) | undefined {
  const { selected, completion, edit } = context;
  if (pressed.ctrlKey || pressed.metaKey) return commandOf(pressed, context);
  return (completion && choiceActionOf(pressed, { ...context, completion })) ??
    (pressed.key === "Enter" ? () => edit(breakLine(selected)) : undefined);
}

function choiceActionOf(
  { key }: PressedKey,
  { selected, completion, setCompletion, edit }: KeyContext & { readonly completion: Completion },
): (() => void) | undefined {
  const chosen = completion.choices[completion.selected];
  switch (key) {
    case "ArrowDown":
      return () => setCompletion(moveChoice(completion, 1));
    case "ArrowUp":
      return () => setCompletion(moveChoice(completion, -1));
    case "Enter":
      return chosen && (() => edit(takeChoice(selected.text, completion, chosen)));
    case "Escape":
      return () => setCompletion(undefined);
  }
  return undefined;
}

function commandOf(
  { key, shiftKey }: PressedKey,
  { selected, edit, history, suggest }: KeyContext,
): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case " ":
      return suggest;
    case "]":
      return () => edit(indent(selected, true));
    case "[":
      return () => edit(indent(selected, false));
    case "z":
      return () => edit(shiftKey ? history.redo() : history.undo());
    case "y":
      return () => edit(history.redo());
  }
  return undefined;
}
