import { resolveSelection, selectVariant } from "../../../../offers/option-selection.ts";
import type { Snapshot, VariantPosition } from "../../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../../read-model/schema/documents.ts";
import { invalidArgument, type UserError } from "../../../user-error.ts";
import { readVariantId } from "../../../variant-id.ts";
import { graphqlLimits } from "../../limits/limits.ts";
import { toVariant } from "./shapes.ts";

/** A value of an option, as a client names it. */
export interface OptionInput {
  readonly name: string;
  readonly value: string;
}

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** Resolves `Product.variants`: a page, or an empty page with an error. */
export const variants = (
  snapshot: Snapshot,
  product: ProductDocument,
  { first, after }: PageArguments,
) => {
  const [size, position] = [first ?? graphqlLimits.defaultPageSize, readCursor(after)];
  if (size <= 0) return emptyPage("first", "`first` must be 1 or more.");
  if (position === null) return emptyPage("after", malformedCursor);
  const page = snapshot.variants(product.id, {
    first: Math.min(size, graphqlLimits.pageSize),
    ...(position !== undefined && { after: position }),
  });
  if (!page) return emptyPage("after", malformedCursor);
  return {
    nodes: page.variants.map((variant) => toVariant(product, variant)),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: writeCursor(page.start),
      endCursor: writeCursor(page.end),
    },
    totalCount: page.total,
    userErrors: size > graphqlLimits.pageSize ? [cappedPage] : [],
  };
};

const malformedCursor =
  "`after` is not a cursor of this list: pass the `endCursor` of an earlier page.";

const cappedPage: UserError = invalidArgument(
  ["variants", "first"],
  `\`first\` is capped at ${graphqlLimits.pageSize}: the page was served at ${graphqlLimits.pageSize}.`,
);

const emptyPage = (argument: string, message: string) => ({
  nodes: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: 0,
  userErrors: [invalidArgument(["variants", argument], message)],
});

/** @returns undefined without a cursor, null for a text that is none */
const readCursor = (after: string | null | undefined): VariantPosition | null | undefined => {
  if (after == null) return undefined;
  const text = Buffer.from(after, "base64url").toString();
  return cursor.test(text) ? text.slice(1).split(".").map(Number) : null;
};

const cursor = /^v[1-9]\d{0,15}(?:\.[1-9]\d{0,15}){0,2}$/;

const writeCursor = (position: VariantPosition | undefined): string | null =>
  position ? Buffer.from(`v${position.join(".")}`).toString("base64url") : null;

interface VariantArguments {
  readonly id?: string | null;
  readonly options?: readonly OptionInput[] | null;
}

/** Resolves `Product.variant`: by id, by options, or by both, which must then agree. */
export const variant = (
  snapshot: Snapshot,
  product: ProductDocument,
  { id, options }: VariantArguments,
) => {
  if (id == null && !options?.length) return null;
  const wanted = id == null ? undefined : readVariantId(product.id, id);
  if (id != null && wanted === undefined) return null;
  const choices = snapshot.variantChoices(product.id);
  const selection = resolveSelection(choices.options, options ?? []);
  if (!selection) return null;
  const found = selectVariant(
    choices.variants.filter(({ id: own }) => wanted === undefined || own === wanted),
    selection,
  );
  const shown = found && snapshot.variant(product.id, found.id);
  return shown ? toVariant(product, shown) : null;
};
