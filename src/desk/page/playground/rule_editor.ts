/**
 * The editor as a component: its text follows what else replaces the rule, and its marks follow the check.
 *
 * @module
 */
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { html } from "../html.ts";
import { createEditor, type Editor, type EditorOptions } from "./editor.ts";

/** What the component needs. */
export interface RuleEditorProperties extends Pick<EditorOptions, "complete" | "changed"> {
  readonly text: string;
  /** Changes when something besides the editor has replaced the text: a person may have typed on in the meantime. */
  readonly revision: number;
  readonly diagnostics: readonly DiagnosticJson[];
  /** Gets the editor when it is there. */
  readonly ready: (editor: Editor) => void;
}

/** The component. */
export function RuleEditor({ text, revision, diagnostics, complete, changed, ready }: RuleEditorProperties) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>();
  const latest = useRef({ complete, changed });
  latest.current = { complete, changed };
  useEffect(() => {
    if (host.current === null) return;
    const created = createEditor(host.current, {
      text,
      complete: (path, isValue) => latest.current.complete(path, isValue),
      changed: (next) => latest.current.changed(next),
    });
    editor.current = created;
    ready(created);
    return () => created.close();
  }, []);
  useEffect(() => editor.current?.setText(text), [revision]);
  useEffect(() => editor.current?.mark(diagnostics), [diagnostics]);
  return html`<div class="editor" ref=${host}></div>`;
}
