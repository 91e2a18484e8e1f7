/**
 * The editor of a rule: a `textarea` with transparent text, over the same text in colors, with line numbers and the marks of
 * errors. Selection, input methods and the keyboard are the browser's; the layer below only has to break its lines alike.
 *
 * @module
 */
/// <reference lib="dom" />
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { html } from "../html.ts";
import { CHOICE_ID, ChoiceList, CHOICES_ID } from "./choice_list.ts";
import { type Completion, findCompletion, type GiveChoices, takeChoice } from "./completion.ts";
import { EditHistory } from "./edit_history.ts";
import { offsetOf, placeOf, type Selected } from "./editor_commands.ts";
import { actionOf } from "./editor_keys.ts";
import { type EditorLine, editorLines } from "./editor_lines.ts";
import type { Choice } from "./protocol.ts";

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
