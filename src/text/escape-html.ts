import { stripInvisible } from "./invisible-characters.ts";

/** Escapes text for the content of an HTML element or the value of an attribute. */
export const escapeHtml = (text: string): string =>
  stripInvisible(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
