import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { formatDateOrInstant } from "./dates.ts";

/** Writes the parts of a text that depend on its form. The words around them are the same in each style. */
export interface Style {
  /** Stands in place of a price that the shop hides. */
  readonly hiddenPrice: string;
  /** Whether the contents of a piece follow its unit price. */
  readonly showsContents: boolean;
  /** Writes a text of the merchant. */
  readonly text: (value: string) => string;
  readonly link: (label: string, url: string) => string;
  readonly url: (url: string) => string;
  /** @param time a date, or RFC 3339 with an offset */
  readonly time: (time: string) => string;
}

/** Texts of tools: values as they are, and times that programs can parse. */
export const plain: Style = {
  hiddenPrice: "no price shown",
  showsContents: true,
  text: (value) => value,
  link: (label, url) => `${label} (${url})`.trimStart(),
  url: (url) => url,
  time: (time) => time,
};

/** Text of a page in place of a price that the shop hides. */
export const hiddenPrice = "not shown";

/** Markdown, with times on the clocks of the shop. @param timeZone UTC when the shop does not say */
export const markdownStyle = (timeZone: string | null): Style => ({
  hiddenPrice,
  showsContents: false,
  text: escapeInline,
  link,
  url: autolink,
  time: (time) => formatDateOrInstant(time, timeZone),
});
