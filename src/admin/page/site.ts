/** The first script of the playground on the project's site: the view of the page, alone, with a setup that is a file. @module */
/// <reference lib="dom" />
import { render } from "preact";
import { html } from "./html.ts";
import { loadPlayground } from "./playground/lazy_view.ts";
import { readRoute } from "./route.ts";

const root = document.getElementById("app");
const Playground = await loadPlayground();
const draw = () => {
  if (root === null) return;
  render(html`<${Playground} parameters=${readRoute(location.hash).parameters} />`, root);
};
addEventListener("hashchange", draw);
draw();
