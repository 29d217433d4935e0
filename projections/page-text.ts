/** HTML of a page, by its hash, and the URL against which its relative links are resolved. */
interface PageHtml {
  readonly html: string | null;
  readonly url: string;
}

/** Whether the rendered fields of the content before an event are also those of the content after it. */
export const isRendered = (before: PageHtml | null | undefined, after: PageHtml): boolean =>
  before?.html === after.html && before.url === after.url;
