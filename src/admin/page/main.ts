/** The page's first script. @module */
/// <reference lib="dom" />
import { render } from "preact";
import { html } from "./html.ts";
import { App } from "./app.ts";

const root = document.getElementById("app");
if (root !== null) render(html`<${App} />`, root);
