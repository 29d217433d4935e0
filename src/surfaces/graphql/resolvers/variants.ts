import { resolveSelection, selectVariant } from "../../../offers/option-selection.ts";
import { lazy } from "../../../platform/memo.ts";
import type { Product } from "../../../read-model/reader/product.ts";
import type { ShownVariant } from "../../../read-model/reader/variants.ts";
import { invalidArgument, type UserError } from "../../user-error.ts";
import { readVariantId } from "../../variant-id.ts";
import { graphqlLimits, isOver } from "../limits/limits.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { offerFields, toAttribute, toEnum } from "./offer.ts";

/** A value of an option, as a client names it. */
export interface OptionInput {
  readonly name: string;
  readonly value: string;
}

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/**
 * Counts the variants of a product before a field reads some of them, because the ids, options and stocks of all of them are read.
 * @returns false when the response is over a limit
 */
export const countVariants = ({ variants: all }: Product, { budget }: ResolverContext): boolean => {
  budget.variants += all?.ids.length ?? 0;
  return !isOver(budget);
};

export const withCountedVariants =
  <Args>(resolve: (product: Product, args: Args) => unknown) =>
  (product: Product, args: Args, context: ResolverContext): unknown =>
    countVariants(product, context) ? resolve(product, args) : null;

/** Resolvers of `Variant`. */
export const variantFields = {
  ...offerFields,
  id: ({ productId, id }: ShownVariant) => `${productId}.${id}`,
  variantId: ({ id }: ShownVariant) => id,
  sku: ({ variant: { sku } }: ShownVariant) => sku,
  gtin: ({ variant: { gtin } }: ShownVariant) => gtin,
  mpn: ({ variant: { mpn } }: ShownVariant) => mpn,
  options: ({ variant: { options } }: ShownVariant) => options,
  condition: ({ variant: { condition } }: ShownVariant) => toEnum(condition),
  attributes: ({ variant: { specifications = [] } }: ShownVariant) =>
    specifications.map(toAttribute),
  images: ({ variant: { images = [] } }: ShownVariant) => images,
};

/** Resolves `Product.variants`: a page, or an empty page with an error. */
export const variants = (
  { variants: all }: Pick<Product, "variants">,
  { first, after }: PageArguments,
) => {
  const [size, position] = [first ?? graphqlLimits.defaultPageSize, readCursor(after)];
  if (size <= 0) return emptyPage("first", "`first` must be 1 or more.");
  const { ids = [] } = all ?? {};
  const start = position && (all ? findStart(ids, position) : 0);
  if (start === undefined) return emptyPage("after", malformedCursor);
  const page = ids.slice(start, start + Math.min(size, graphqlLimits.pageSize));
  const end = start + page.length;
  // Once for all aliases.
  const nodes = lazy(() => page.map((_, at) => all?.at(start + at)));
  return {
    get nodes() {
      return nodes();
    },
    pageInfo: {
      hasNextPage: end < ids.length,
      hasPreviousPage: start > 0,
      startCursor: page.length > 0 ? writeCursor(ids, start) : null,
      endCursor: page.length > 0 ? writeCursor(ids, end - 1) : null,
    },
    totalCount: ids.length,
    userErrors: size > graphqlLimits.pageSize ? [cappedPage] : [],
  };
};

/** A position behind a variant: its id, the number of variants up to it, the id of the next. Old cursors have the id alone. */
type VariantPosition = readonly number[];

/** Finds the index behind a position: by its variant, by the next one where that has left, else by their number. */
const findStart = (ids: readonly number[], position: VariantPosition): number | undefined => {
  const [id, count, next = 0] = position;
  if (id === undefined) return 0;
  const [last, following] = [ids.indexOf(id), ids.indexOf(next)];
  if (last >= 0) return last + 1;
  return following >= 0 ? following : count && count - 1;
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

/** @returns an empty position without a cursor, undefined for a text that is none */
const readCursor = (after: string | null | undefined): VariantPosition | undefined => {
  if (after == null) return [];
  const text = Buffer.from(after, "base64url").toString();
  return cursor.test(text) ? text.slice(1).split(".").map(Number) : undefined;
};

const cursor = /^v[1-9]\d{0,15}(?:\.[1-9]\d{0,15}){0,2}$/;

const writeCursor = (ids: readonly number[], at: number): string => {
  const position = [ids[at], at + 1, ...ids.slice(at + 1, at + 2)];
  return Buffer.from(`v${position.join(".")}`).toString("base64url");
};

interface VariantArguments {
  readonly id?: string | null;
  readonly options?: readonly OptionInput[] | null;
}

/** Resolves `Product.variant`: by id, by options, or by both, which must then agree. */
export const variant = (
  { id: productId, variants: all }: Product,
  { id, options }: VariantArguments,
) => {
  if (!all || (id == null && !options?.length)) return null;
  const wanted = id == null ? undefined : readVariantId(productId, id);
  if (id != null && wanted === undefined) return null;
  if (wanted !== undefined && !options?.length) return all.find(wanted) ?? null;
  const choices = all.choices();
  const selection = resolveSelection(choices.options, options ?? []);
  if (!selection) return null;
  const found = selectVariant(
    choices.variants.filter(({ id: own }) => wanted === undefined || own === wanted),
    selection,
  );
  return found ? all.find(found.id) : null;
};
