import type { OfferPolicy } from "../../offers/policy.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import type { ProductOption } from "../../read-model/schema/documents.ts";
import { formatAttribute } from "../../text/attribute-value.ts";
import { escapeInline, link } from "../../text/markdown/escape.ts";
import type { VariantFact } from "../product-members.ts";
import { formatQuantityRule } from "../words/facts.ts";
import {
  formatOfferPrice,
  formatTax,
  formatUnitPrice,
  formatUpcomingSales,
  perOffer,
} from "../words/price.ts";
import { formatStock } from "../words/stock.ts";
import { markdownStyle } from "../words/style.ts";

interface Column {
  readonly heading: string;
  readonly cell: (shown: ShownVariant) => string | null | undefined;
  /** True for a column that is left out when all its cells are empty. */
  readonly isOptional?: boolean;
}

/** Formats the variants of a product as a table with a row for each, whatever their number; empty without any. */
export const formatVariantTable = (
  { text, variants: all }: Product,
  policy: OfferPolicy,
): string => {
  if (!all) return "";
  const variants = all.ids.map((_, at) => all.at(at));
  const filled = listColumns(text.options, variants, policy).flatMap((column) => {
    const cells = variants.map((shown) => column.cell(shown) ?? "");
    const isLeftOut = column.isOptional && cells.every((cell) => cell === "");
    return isLeftOut ? [] : [[column.heading, "---", ...cells]];
  });
  return filled[0]?.map((_, at) => toRow(filled, at)).join("\n") ?? "";
};

const toRow = (columns: readonly (readonly string[])[], at: number): string => {
  let row = "|";
  for (const cells of columns) row += ` ${cells[at]} |`;
  return row;
};

const listColumns = (
  options: readonly ProductOption[],
  variants: readonly ShownVariant[],
  policy: OfferPolicy,
): readonly Column[] => {
  const style = markdownStyle(policy.timeZone);
  return [
    ...(hasTitles(options, variants) ? [{ heading: "Variant", cell: formatTitle }] : []),
    ...options.map(toOptionColumn),
    {
      heading: `Price${variants.some(({ offer }) => offer.price) ? formatTax(policy) : ""}`,
      cell: perOffer((offer) =>
        [formatOfferPrice(offer, style), ...formatUpcomingSales(offer, style)].join("; then "),
      ),
    },
    {
      heading: "Unit price",
      cell: perOffer((offer) => formatUnitPrice(offer, style)),
      isOptional: true,
    },
    { heading: "Stock", cell: perOffer((offer) => formatStock(offer.stock, style)) },
    ...Object.values(factColumns).map((column) => ({ ...column, isOptional: true })),
    { heading: "Id", cell: ({ productId, id }) => `${productId}.${id}` },
  ];
};

/** Columns of members that a variant may have of its own. */
const factColumns: Readonly<Record<VariantFact, Omit<Column, "isOptional">>> = {
  sku: { heading: "SKU", cell: ({ variant }) => formatText(variant.sku) },
  gtin: { heading: "GTIN", cell: ({ variant }) => formatText(variant.gtin) },
  mpn: { heading: "MPN", cell: ({ variant }) => formatText(variant.mpn) },
  condition: { heading: "Condition", cell: ({ variant }) => variant.condition },
  quantityRule: {
    heading: "Pieces per purchase",
    cell: ({ variant }) => formatQuantityRule(variant.quantityRule),
  },
  specifications: {
    heading: "Specifications",
    cell: ({ variant }) =>
      variant.specifications
        ?.map(({ name, value, typed }) => escapeInline(`${name}: ${formatAttribute(value, typed)}`))
        .join("; "),
  },
};

const formatText = (text: string | undefined): string | undefined => text && escapeInline(text);

/** Whether options alone do not identify the variants, or their links would be lost. */
const hasTitles = (options: readonly ProductOption[], variants: readonly ShownVariant[]): boolean =>
  options.length === 0 ||
  variants.some(({ variant }) => variant.name !== undefined || variant.url !== undefined);

const formatTitle = ({ variant, title, url }: ShownVariant): string =>
  variant.url === undefined ? escapeInline(title) : link(title, url);

/** A variant without a value of an option stands for any value. */
const toOptionColumn = ({ name }: ProductOption): Column => ({
  heading: escapeInline(name),
  cell: ({ variant }) => {
    const chosen = variant.options.find((option) => option.name === name);
    return chosen ? escapeInline(chosen.value) : "any";
  },
});
