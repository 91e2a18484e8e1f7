/**
 * The editor of a rule: CodeMirror with YAML, completion and marks for errors. It is in a shadow root, because there its
 * style sheets are objects, which the policy of the page allows; in the document it would add a `<style>`.
 *
 * @module
 */
/// <reference lib="dom" />
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import {
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertNewlineKeepIndent,
} from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import type { Choice } from "./protocol.ts";
import { yamlMode } from "./yaml_mode.ts";
import { yamlPlace } from "./yaml_path.ts";

export interface EditorOptions {
  readonly text: string;
  /** Gives what can be written at a place. */
  readonly complete: (path: readonly (string | number)[], isValue: boolean) => Promise<readonly Choice[]>;
  /** Receives the text after each change by a person. */
  readonly changed: (text: string) => void;
}

export interface Editor {
  setText(text: string): void;
  mark(diagnostics: readonly DiagnosticJson[]): void;
  /** Moves the cursor and the focus to a place, both from 1. */
  goTo(line: number, column: number): void;
  close(): void;
}

export function createEditor(host: HTMLElement, { text, complete, changed }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let isOurs = false;
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        highlightActiveLine(),
        StreamLanguage.define(yamlMode),
        syntaxHighlighting(HIGHLIGHTING),
        lintGutter(),
        autocompletion({
          override: [async ({ state, pos, explicit }) => {
            const place = yamlPlace(state.doc.toString(), pos);
            if (place === undefined || (!explicit && place.from === pos && !place.isValue)) return null;
            const choices = await complete(place.path, place.isValue);
            if (choices.length === 0) return null;
            const end = place.isValue ? "" : ": ";
            return {
              from: place.from,
              options: choices.map(({ label, detail, description }) => ({
                label,
                detail: detail.replaceAll("`", ""),
                info: description.replaceAll("`", ""),
                apply: label + end,
              })),
            };
          }],
        }),
        // Tab leaves the editor, so that the page works with the keyboard alone.
        keymap.of([
          ...historyKeymap,
          ...completionKeymap,
          { key: "Enter", run: insertNewlineKeepIndent },
          { key: "Mod-]", run: indentMore },
          { key: "Mod-[", run: indentLess },
        ]),
        EditorView.contentAttributes.of({ "aria-label": "Rule (YAML)", tabindex: "0" }),
        EditorView.lineWrapping,
        THEME,
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return;
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isOurs = false;
    },
    mark: (diagnostics) =>
      view.dispatch(setDiagnostics(view.state, diagnostics.flatMap((one) => markOf(one, view.state)))),
    goTo(line, column) {
      const anchor = placeIn(view.state, line, column);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function placeIn({ doc }: EditorState, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

function markOf(
  { line, column = 1, length = 1, severity, message, expected, help }: DiagnosticJson,
  state: EditorState,
): Diagnostic[] {
  if (line === undefined) return [];
  const from = placeIn(state, line, column);
  const notes = [expected === undefined ? "" : `Expected ${expected}`, help ?? ""].filter((note) =>
    note !== ""
  );
  return [{
    from,
    to: Math.min(from + length, state.doc.line(Math.min(line, state.doc.lines)).to),
    severity: severity === "warning" ? "warning" : "error",
    message: [message, ...notes].join("\n"),
  }];
}

const HIGHLIGHTING = HighlightStyle.define([
  { tag: tags.atom, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.comment, color: "var(--quiet)" },
  { tag: [tags.keyword, tags.number, tags.meta], color: "var(--warn)" },
]);

const FLOATING = { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" };

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "12.5px", maxHeight: "60vh" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    lineHeight: "1.5",
    minHeight: "12rem",
  },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--ground)",
    color: "var(--quiet)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  ".cm-tooltip": FLOATING,
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--text)",
  },
  ".cm-completionInfo": { ...FLOATING, maxWidth: "20rem" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
});
