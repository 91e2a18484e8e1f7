/**
 * The editor of a rule: a `textarea` with transparent text, over the same text in colors, with line numbers and the marks of
 * errors. Selection, input methods and the keyboard are the browser's; the layer below only has to break its lines alike.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { html } from "../html.ts";
import { type Completion, findCompletion, type GiveChoices, moveChoice, takeChoice } from "./completion.ts";
import { EditHistory } from "./edit_history.ts";
import { breakLine, indent, offsetOf, placeOf, type Selected } from "./editor_commands.ts";
import { type EditorLine, editorLines } from "./editor_lines.ts";
import type { Choice } from "./protocol.ts";

/// <reference lib="dom" />

export interface Editor {
  /** Moves the cursor and the focus to a place, both from 1. */
  goTo(line: number, column: number): void;
}

interface EditorProperties {
  readonly text: string;
  /** Changes when something besides the editor has replaced the text: a person may have typed on in the meantime. */
  readonly revision: number;
  readonly diagnostics: readonly DiagnosticJson[];
  readonly complete: GiveChoices;
  readonly changed: (text: string) => void;
  readonly ready: (editor: Editor) => void;
}

export function RuleEditor(properties: EditorProperties) {
  const { text: given, revision, diagnostics, complete, changed, ready } = properties;
  const area = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [initial] = useState(given);
  const [history] = useState(() => new EditHistory({ text: given, start: 0, end: 0 }));
  const [text, setText] = useState(given);
  const [current, setCurrent] = useState(-1);
  const [completion, setCompletion] = useState<Completion>();
  const lines = useMemo(() => editorLines(text, diagnostics), [text, diagnostics]);
  const write = ({ text, start, end }: Selected) => {
    if (area.current === null) return;
    area.current.value = text;
    area.current.setSelectionRange(start, end);
    setText(text);
    setCompletion(undefined);
  };
  const add = (next: Selected, isTyped: boolean) => history.add(next, { time: Date.now(), isTyped });
  /** What a person does besides typing. */
  const edit = (next: Selected | undefined) => {
    if (next === undefined) return;
    add(next, false);
    write(next);
    changed(next.text);
  };
  useEffect(() => {
    if (area.current === null || area.current.value === given) return;
    const next = { text: given, start: 0, end: 0 };
    add(next, false);
    write(next);
  }, [revision]);
  useEffect(() => {
    ready({
      goTo(line, column) {
        if (area.current === null) return;
        const at = offsetOf(area.current.value, line, column);
        area.current.focus();
        area.current.setSelectionRange(at, at);
        layer.current?.children[line - 1]?.scrollIntoView({ block: "nearest" });
      },
    });
    const moved = () => {
      const target = document.activeElement === area.current ? area.current : null;
      setCurrent(target === null ? -1 : placeOf(target.value, target.selectionStart).line);
      // A list belongs to the place that it was opened at.
      setCompletion((last) => last !== undefined && last.to === target?.selectionStart ? last : undefined);
    };
    document.addEventListener("selectionchange", moved);
    return () => document.removeEventListener("selectionchange", moved);
  }, []);
  const suggest = async (target: HTMLTextAreaElement, isAsked: boolean) => {
    const { value, selectionStart: cursor } = target;
    const found = await findCompletion({ text: value, cursor, isAsked }, complete);
    if (target.value === value && target.selectionStart === cursor) setCompletion(found);
  };
  const typed = ({ target, inputType, data }: InputEvent) => {
    const field = target as HTMLTextAreaElement;
    const isTyped = data?.length === 1 || inputType === "insertCompositionText";
    add(selectedIn(field), isTyped || inputType.startsWith("delete"));
    setText(field.value);
    changed(field.value);
    if (isTyped || completion !== undefined) void suggest(field, false);
  };
  const pressed = (key: KeyboardEvent) => {
    const field = key.target as HTMLTextAreaElement;
    const suggestHere = () => void suggest(field, true);
    const context = {
      selected: selectedIn(field),
      completion,
      setCompletion,
      edit,
      history,
      suggest: suggestHere,
    };
    const run = key.isComposing ? undefined : actionOf(key, context);
    if (run === undefined) return;
    key.preventDefault();
    run();
  };
  // The pointer is over the textarea, and the mark is below it.
  const hovered = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const mark = document.elementsFromPoint(clientX, clientY).find((one) => one.classList.contains("fault"));
    (currentTarget as HTMLElement).title = mark?.getAttribute("title") ?? "";
  };
  const take = (choice: Choice) => completion !== undefined && edit(takeChoice(text, completion, choice));
  const isOpen = completion !== undefined;
  return html`
    <div class="editor">
      <div class="sheet">
        <div class="lines" aria-hidden="true" ref=${layer}>${useDrawn(lines, current)}</div>
        <textarea class="mono" ref=${area} defaultValue=${initial} spellcheck=${false} autocapitalize="off" rows="1"
          aria-label="Rule (YAML)" aria-autocomplete="list" aria-haspopup="listbox"
          aria-controls=${isOpen ? CHOICES_ID : undefined} aria-activedescendant=${isOpen
            ? CHOICE_ID
            : undefined}
          onInput=${typed} onKeyDown=${pressed} onMouseMove=${hovered}
          onBlur=${() => setCompletion(undefined)}></textarea>
      </div>
      ${isOpen && html`
        <${ChoiceList} completion=${completion} place=${placeBelow(
          layer.current,
          text,
          completion.from,
        )} take=${take} />
      `}
    </div>
  `;
}

function selectedIn(
  { value: text, selectionStart: start, selectionEnd: end }: HTMLTextAreaElement,
): Selected {
  return { text, start, end };
}

/** The elements of lines; those that haven't changed are the same as before, so that typing costs one line. */
function useDrawn(lines: readonly EditorLine[], current: number): VNode[] {
  const drawn = useRef<readonly { readonly key: string; readonly element: VNode }[]>([]);
  drawn.current = lines.map((line, index) => {
    const key = JSON.stringify([line, index === current]);
    const last = drawn.current[index];
    return last?.key === key ? last : { key, element: lineElement(line, index === current) };
  });
  return drawn.current.map(({ element }) => element);
}

function lineElement({ parts, marks }: EditorLine, isCurrent: boolean): VNode {
  const messages = marks.map(({ message }) => message).join("\n\n");
  return html`
    <div class=${`${marks[0]?.severity ?? ""} ${isCurrent ? "current" : ""}`} title=${messages ||
      undefined}>${parts.map(({ text, color, mark }) =>
        mark === undefined
          ? color === "plain" ? text : html`<span class=${color}>${text}</span>`
          : html`<span class=${`fault ${color} ${mark.severity}`} title=${mark.message}>${text}</span>`
      )}</div>
  `;
}

/** Where a list below a character begins, in pixels from the corner of the editor. */
function placeBelow(layer: HTMLElement | null, text: string, offset: number): { left: number; top: number } {
  const frame = layer?.closest(".editor")?.getBoundingClientRect();
  const { line, column } = placeOf(text, offset);
  const element = layer?.children[line];
  if (frame === undefined || element === undefined) return { left: 0, top: 0 };
  const range = document.createRange();
  range.selectNodeContents(element);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let rest = column;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (rest < length) {
      range.setStart(node, rest);
      range.setEnd(node, rest + 1);
      break;
    }
    rest -= length;
  }
  const { left, bottom } = Array.from(range.getClientRects()).at(-1) ?? element.getBoundingClientRect();
  return { left: left - frame.left, top: bottom - frame.top };
}

/// <reference lib="dom" />

/** The id of the list; its selected choice has another. */
const CHOICES_ID = "rule-choices";
const CHOICE_ID = "rule-choice";

/** How many choices are shown at once; the keys lead to the others. */
const SHOWN_MAX = 8;

function ChoiceList({ completion, place: { left, top }, take }: {
  readonly completion: Completion;
  /** Where the list is, from the corner of the editor, in pixels. */
  readonly place: { readonly left: number; readonly top: number };
  readonly take: (choice: Choice) => void;
}) {
  const { choices, selected } = completion;
  const first = Math.max(0, selected + 1 - SHOWN_MAX);
  const description = choices[selected]?.description ?? "";
  return html`
    <div class="choices" style=${{ left: `clamp(0px, ${left}px, 100% - 20rem)`, top: `${top}px` }}
      onMouseDown=${(pressed: MouseEvent) => pressed.preventDefault()}>
      <ul role="listbox" id=${CHOICES_ID} aria-label="Completions">${choices.slice(first, first + SHOWN_MAX)
        .map((choice, index) => {
          const isSelected = first + index === selected;
          return html`
            <li key=${choice.label} role="option" aria-selected=${isSelected} id=${isSelected
              ? CHOICE_ID
              : undefined}
              aria-setsize=${choices.length} aria-posinset=${first + index + 1}
              onClick=${() => take(choice)}>${choice.label} <span class="quiet">${withoutTicks(
                choice.detail,
              )}</span></li>
          `;
        })}</ul>
      ${description !== "" && html`<p class="small">${withoutTicks(description)}</p>`}
    </div>
  `;
}

function withoutTicks(text: string): string {
  return text.replaceAll("`", "");
}

/// <reference lib="dom" />

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
function actionOf(pressed: PressedKey, context: KeyContext): (() => void) | undefined {
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
