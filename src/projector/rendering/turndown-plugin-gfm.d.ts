declare module "@joplin/turndown-plugin-gfm" {
  import type { Plugin } from "turndown";

  /** GitHub Flavored Markdown: tables, strikethrough and task lists. */
  export const gfm: Plugin;
}
