import { dateOf } from "./words.js";

/** Small ways of making and filling elements. What comes from the service is only ever set as text. */

/** @param {string} id @returns {HTMLElement} */
export const at = (id) => document.getElementById(id);

/** Sets an element's text, and touches it only when that is another one: what is selected stays selected. */
export const say = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

/**
 * An element with attributes and children; strings become text.
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

/** An instant as a time of this browser; its exact form is in the tooltip. */
export const timeElement = (instant) =>
  make("time", { datetime: instant, title: instant }, dateOf(instant));

/** An SVG element. */
export const draw = (tag, attributes = {}, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  return element;
};

/** Makes `nodes` the children of `parent`, moving none that is in its place: focus and open parts stay. */
export const arrange = (parent, nodes) => {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, place) => {
    if (parent.childNodes[place] !== node)
      parent.insertBefore(node, parent.childNodes[place] ?? null);
  });
};

/** Asks the service. @throws Error with a sentence for the person who asked */
export const ask = async (path) => {
  const response = await fetch(path, { headers: { accept: "application/json" } }).catch(() => {
    throw new Error("The service does not answer.");
  });
  const told = await response.json().catch(() => undefined);
  if (response.ok && told !== undefined) return told;
  throw Object.assign(new Error(told?.error?.message ?? `The answer was ${response.status}.`), {
    status: response.status,
  });
};

/**
 * Asks for a part of the page again and again. What comes after a newer question is not shown; why there is no answer
 * stands in the part's note, and `onFailure` is called.
 * @returns a function that resolves with whether there was an answer
 */
export const asker = (note, show, onFailure = () => undefined) => {
  let newest = 0;
  return async (path) => {
    newest += 1;
    const mine = newest;
    try {
      const answer = await ask(path);
      if (mine === newest) show(answer);
      return true;
    } catch (error) {
      if (mine === newest) {
        note.hidden = false;
        note.dataset.tone = "bad";
        say(note, error.message);
        onFailure();
      }
      return false;
    }
  };
};
