import { dateOf } from "./words.js";

/** DOM helpers. Data of the service is always set as text, never as HTML. */

/** @param {string} id @returns {HTMLElement} */
export const at = (id) => document.getElementById(id);

/** Sets an element's text if it differs, because setting it would clear the user's selection. */
export const say = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

/**
 * Creates an element with attributes and children; strings become text.
 * @param {string} name such as `td` or `td.number`
 */
export const make = (name, attributes = {}, ...children) => {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** Creates a `time` element in the browser's local format, with the exact time in the tooltip. */
export const timeElement = (instant) =>
  make("time", { datetime: instant, title: instant }, dateOf(instant));

/** Creates an SVG element. */
export const draw = (tag, attributes = {}, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  return element;
};

/** Makes `nodes` the children of `parent`. Nodes at the right position are not moved, so that focus is kept. */
export const arrange = (parent, nodes) => {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] !== node)
      parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
};

/** Fetches JSON from the service. @throws Error with a message for the operator */
export const ask = async (path) => {
  const response = await fetch(path, { headers: { accept: "application/json" } }).catch(() => {
    throw new Error("The service does not answer.");
  });
  const body = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  throw Object.assign(new Error(body?.error?.message ?? `The answer was ${response.status}.`), {
    status: response.status,
  });
};

/**
 * Creates a loader for one part of the page. It ignores replies to all but the latest request.
 * On failure, it shows the error in the part's note and calls `onFailure`.
 * @returns a function that resolves to whether the request succeeded
 */
export const asker = (note, show, onFailure = () => undefined) => {
  let latestRequest = 0;
  return async (path) => {
    latestRequest += 1;
    const request = latestRequest;
    try {
      const answer = await ask(path);
      if (request === latestRequest) show(answer);
      return true;
    } catch (error) {
      if (request === latestRequest) {
        note.hidden = false;
        note.dataset.tone = "bad";
        say(note, error.message);
        onFailure();
      }
      return false;
    }
  };
};
