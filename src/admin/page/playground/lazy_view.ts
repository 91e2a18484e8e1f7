/** Loads the playground with its style sheet, when it is opened. @module */
/// <reference lib="dom" />
import type { ComponentType } from "preact";
import type { ViewProperties } from "../view_properties.ts";
import { Playground } from "./view.ts";

const STYLE_SHEET = "app/playground/playground.css";

/** The view, once its style sheet is there. */
export async function loadPlayground(): Promise<ComponentType<ViewProperties>> {
  if (document.querySelector(`link[href="${STYLE_SHEET}"]`) === null) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = STYLE_SHEET;
    await new Promise((resolve) => {
      link.onload = link.onerror = resolve;
      document.head.append(link);
    });
  }
  return Playground;
}
