import type { EventOfType } from "../src/events/event.ts";
import type { PolicyDocument } from "../src/read-model/schema/documents.ts";
import type { FieldGroup, PageContent, PageRow } from "../src/read-model/schema/rows.ts";
import {
  type EvolveResult,
  evolveFieldGroup,
  type HtmlRenderer,
  versionOf,
} from "./field-group.ts";
import { withLazyFields } from "./lazy-fields.ts";

/** Folds page events into a CMS page, its HTML rendered to Markdown and a summary. */
export const evolvePage = (
  row: PageRow | undefined,
  event: EventOfType<"shop.page.upserted" | "shop.page.deleted">,
  rendering: HtmlRenderer,
): EvolveResult<PageRow> => {
  if (event.type === "shop.page.deleted") {
    return withPolicyTime(row, evolveFieldGroup(row, versionOf(event), null));
  }
  const { data } = event;
  const eager = {
    title: rendering.cleanText(data.title),
    url: data.url,
    policy: data.policy ?? null,
    published: data.published ?? true,
    html: rendering.hashHtml(data.contentHtml),
  };
  const content = withLazyFields(eager, {
    summary: () => rendering.summary(data.contentHtml),
    markdown: () => rendering.markdown(data.contentHtml),
  });
  return withPolicyTime(row, evolveFieldGroup(row, versionOf(event), content, sameContent));
};

/** Sets `policyAt` when the event changes the list of policies. */
const withPolicyTime = (
  before: PageRow | undefined,
  evolved: EvolveResult<FieldGroup<PageContent>>,
): EvolveResult<PageRow> => {
  if (evolved.outcome !== "applied") return evolved;
  const { row } = evolved;
  const isListed = isPolicy(before) || isPolicy(row);
  const isChanged = isListed && !isUnchanged(before?.content ?? null, row.content);
  const policyAtBefore = before?.policyAt ?? null;
  const policyAt = isChanged ? Math.max(policyAtBefore ?? 0, row.version.time) : policyAtBefore;
  return { outcome: "applied", row: { ...row, policyAt } };
};

const isPolicy = (row: FieldGroup<PageContent> | undefined): boolean =>
  row?.content?.published === true && row.content.policy !== null;

const isUnchanged = (one: PageContent | null, other: PageContent | null): boolean =>
  one && other ? sameContent(one, other) : one === other;

/** Compares without the rendered fields, because they follow from the HTML and reading them would render it. */
const sameContent = (one: PageContent, other: PageContent): boolean =>
  one.title === other.title &&
  one.url === other.url &&
  one.policy === other.policy &&
  one.published === other.published &&
  one.html === other.html;

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
