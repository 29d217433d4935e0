import { formatDate } from "./format.js";

/** Functions for the DOM. They set data of the service as text, never as HTML. */

/** Escapes characters that hide text or reorder it, except line breaks and tabs. */
const visible = (text) =>
  text.replace(
    /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`,
  );

/** @returns {HTMLElement} the element with this id, which must exist */
export const byId = (id) => document.getElementById(id);

/** Sets an element's text if it differs, because an assignment would clear the user's selection. */
export const setText = (element, text) => {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
};

/**
 * Creates an element with attributes and children; strings become text.
 * @param {string} name tag with optional classes: `td`, `td.number`
 */
export const el = (name, attributes = {}, ...children) => {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return element;
};

/** Creates a `time` element in the browser's local format, with the exact time in the tooltip. */
export const timeElement = (instant) =>
  el("time", { datetime: instant, title: instant }, formatDate(instant));

/** Creates an SVG element. */
export const svgEl = (tag, attributes = {}, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  return element;
};

/** Makes `nodes` the children of `parent`. Nodes at the right position do not move, so that they keep the focus. */
export const reconcileChildren = (parent, nodes) => {
  const current = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!current.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] !== node)
      parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
};

/** Fetches JSON from the service. @throws Error with a message for the operator */
export const fetchJson = async (path) => {
  const response = await fetch(path, { headers: { "vitrine-console": "1" } }).catch(() => {
    throw new Error("The service does not answer.");
  });
  const body = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  throw Object.assign(
    new Error(body?.error?.message ?? `The response status was ${response.status}.`),
    {
      status: response.status,
    },
  );
};

/**
 * Creates a loader for one section of the page. It ignores responses to all but the latest request.
 * On failure, it shows the error in the section's note and calls `onFailure`.
 * @returns a function that resolves to whether the request succeeded
 */
export const createLoader = (note, show, onFailure = () => undefined) => {
  let latestRequest = 0;
  return async (path) => {
    latestRequest += 1;
    const request = latestRequest;
    try {
      const body = await fetchJson(path);
      if (request === latestRequest) show(body);
      return true;
    } catch (error) {
      if (request === latestRequest) {
        note.hidden = false;
        note.dataset.tone = "bad";
        setText(note, error.message);
        onFailure();
      }
      return false;
    }
  };
};
