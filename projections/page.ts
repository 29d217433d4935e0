import type { EventOfType, PageData } from "../src/events/event.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type { PolicyDocument } from "../src/read-model/schema/documents.ts";
import type { PageContent, PageRow } from "../src/read-model/schema/rows.ts";
import { embedMarkdown } from "../src/text/markdown/sanitize.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult, HtmlRenderer, TextCleaner, Unrendered } from "./projection.ts";

type PageEvent = EventOfType<"shop.page.upserted" | "shop.page.deleted">;

export const evolvePage = (
  row: PageRow | undefined,
  event: PageEvent,
  text: TextCleaner,
): EvolveResult<Unrendered<PageRow>> => {
  if (event.type === "shop.page.deleted") return write(row, event, null, null);
  const content = buildContent(row?.content, event.data, text);
  return write(
    row,
    event,
    content,
    isRendered(row?.content, content) ? undefined : event.data.contentHtml,
  );
};

/** Builds the content with the rendered fields of the row. They are replaced when the HTML is rendered. */
const buildContent = (
  before: PageContent | null | undefined,
  data: PageData,
  text: TextCleaner,
): PageContent => {
  const html = text.hashHtml(data.contentHtml);
  const rendered = before?.html === html ? before : undefined;
  return {
    title: text.cleanText(data.title),
    url: data.url,
    policy: data.policy ?? null,
    published: data.published ?? true,
    html,
    summary: rendered?.summary ?? null,
    pageMarkdown: rendered?.pageMarkdown ?? null,
  };
};

/** Writes the content, and sets `policyAt` when the event changes the list of policies. */
const write = (
  before: PageRow | undefined,
  event: PageEvent,
  content: PageContent | null,
  html: string | null | undefined,
): EvolveResult<Unrendered<PageRow>> => {
  const evolved = evolveFieldGroup(before, versionOf(event), content);
  if (evolved.outcome !== "applied") return evolved;
  const isListed = isPolicy(before?.content) || isPolicy(content);
  const isChanged = isListed && !deepEqual(before?.content ?? null, content);
  const policyAtBefore = before?.policyAt ?? null;
  const policyAt = isChanged
    ? Math.max(policyAtBefore ?? 0, evolved.row.version.time)
    : policyAtBefore;
  return { outcome: "applied", row: { row: { ...evolved.row, policyAt }, html } };
};

const isPolicy = (content: PageContent | null | undefined): boolean =>
  content?.published === true && content.policy !== null;

export const renderPage = (row: PageRow, html: string, renderer: HtmlRenderer): PageRow => {
  if (!row.content) return row;
  const pageMarkdown = embedMarkdown(renderer.markdown(html), row.content.url);
  const summary = renderer.summary(html);
  return { ...row, content: { ...row.content, summary, pageMarkdown } };
};

/**
 * Builds the document of a policy page, without its body.
 * @returns undefined when the page is unpublished or no policy
 */
export const buildPolicyDocument = (
  id: number,
  row: PageRow | undefined,
): PolicyDocument | undefined => {
  const content = row?.content;
  if (!content?.published || content.policy === null) return undefined;
  const { title, url, policy, summary } = content;
  return { id, title, url, topic: policy, summary };
};

/** HTML of a page, by its hash, and the URL against which its relative links are resolved. */
interface PageHtml {
  readonly html: string | null;
  readonly url: string;
}

/** Whether the rendered fields of the content before an event are also those of the content after it. */
export const isRendered = (before: PageHtml | null | undefined, after: PageHtml): boolean =>
  before?.html === after.html && before.url === after.url;
