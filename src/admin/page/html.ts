/** The page's markup: tagged templates instead of JSX, so that the sources need no other compiler. @module */
/// <reference lib="dom" />
import { h, type VNode } from "preact";
import htm from "htm";

type Html = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// The package's types describe its CommonJS form, which isn't the one that is loaded.
const template = htm as unknown as { bind(create: typeof h): Html };

/** Turns a template into elements: html`<p class="quiet">${text}</p>`. Texts are escaped. */
export const html: Html = template.bind(h);
