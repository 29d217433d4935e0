import type { Money, OptionValueData } from "../../events/product-facts.ts";
import { toScaledRating } from "../../offers/rating.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Image } from "../../read-model/schema/product-parts.ts";
import { type MinorAmount, toMinorUnits, toRange } from "../entry/amounts.ts";
import { toBarcode } from "../entry/barcode.ts";
import { listCategoryPaths } from "../entry/category-paths.ts";
import type { EntryLine } from "../entry/lines.ts";
import { cutWords } from "../format.ts";
import { omitEmpty } from "../mcp/offer-answer.ts";
import { toUnitPrice } from "./measures.ts";
import { listSellerLinks } from "./shop-answer.ts";
import { newestUcp } from "./version.ts";
import type { UcpView } from "./view.ts";

/** Why lookup answers a variant. */
export interface LookupInput {
  readonly id: string;
  readonly match: "exact" | "featured";
}

/** What an operation says beyond the members of every product. */
export interface ShownProduct {
  readonly product: Product;
  readonly lines: readonly EntryLine[];
  /** By the id of a line. */
  readonly inputs?: ReadonlyMap<string, readonly LookupInput[]>;
  /** With the state of each value. */
  readonly options?: readonly object[];
  readonly selected?: readonly object[];
}

/** Characters of a description in a list. */
const maxDescription = 1_000;

/** Converts a product with some of its lines. */
export const toUcpProduct = (view: UcpView, shown: ShownProduct): object => {
  const { product, lines, options, selected } = shown;
  const { text } = product;
  return omitEmpty({
    id: String(product.id),
    title: text.name,
    description: toDescription(view, product),
    url: text.url,
    categories: listCategoryPaths(view.snapshot, text.categoryIds).map((value) => ({
      ...{ value, taxonomy: "merchant" },
    })),
    ...toRanges(view, shown),
    media: [...text.images.map(toMedia), ...(text.facts.media ?? []).map(toOtherMedia)],
    options: options ?? text.options.map(toOption),
    selected,
    rating: toRating(product),
    tags: text.facts.tags,
    variants: lines.map((line) => toUcpVariant(view, line, shown.inputs?.get(line.id))),
  });
};

const toDescription = ({ operation }: UcpView, { text, description, markdown }: Product) =>
  operation === "product"
    ? omitEmpty({ plain: description || text.name, markdown })
    : { plain: cutWords(description || text.name, maxDescription) };

/** Builds the range of prices as it is shown elsewhere, and that of the list prices of the lines that count for it. */
const toRanges = ({ snapshot }: UcpView, { product, lines }: ShownProduct) => {
  const { offer, variants } = product;
  const currency = snapshot.shop()?.currency;
  const priced = (variants?.offers() ?? [offer]).filter(
    ({ price }) => price && toMinorUnits(price) && price.currency === (currency ?? price.currency),
  );
  const orderable = priced.filter(({ stock }) => stock.orderable);
  const counted = orderable.length > 0 ? orderable : priced;
  const { range } = offer;
  const [min, max] = [range && toMinorUnits(range.min), range && toMinorUnits(range.max)];
  return {
    price_range:
      (min && max ? { min, max } : toMinorRange(counted.map(({ price }) => price))) ??
      toMinorRange([offer.price]) ??
      toMinorRange([lines[0]?.offer.price]),
    list_price_range: toMinorRange(counted.map(({ listPrice }) => listPrice)),
  };
};

/** @returns undefined without an amount that can be told */
const toMinorRange = (prices: readonly (Money | null | undefined)[]) =>
  toRange(prices.flatMap((price) => (price && toMinorUnits(price)) ?? []));

const toUcpVariant = (
  view: UcpView,
  { id, product, variant, offer, price }: EntryLine,
  inputs: readonly LookupInput[] | undefined,
): object => {
  const { text } = product;
  const own = variant?.variant;
  const listPrice: MinorAmount | null | undefined =
    offer.listPrice && toMinorUnits(offer.listPrice);
  const barcode = toBarcode(own ? own.gtin : text.gtin);
  return omitEmpty({
    id,
    title: variant?.title ?? text.name,
    description: variant ? { plain: describe(variant) } : toDescription(view, product),
    url: variant?.url ?? text.url,
    sku: own ? own.sku : text.reference,
    barcodes: barcode && [barcode],
    price,
    list_price: listPrice,
    unit_price: toUnitPrice(offer.unitPrice, view.version),
    quantity_unit: view.version === newestUcp ? toQuantityUnit(offer.quantityRule?.step) : null,
    availability: toAvailability(offer.stock),
    options: own?.options.map(({ name, value }) => ({ name, label: value })),
    media: own?.images?.map(toMedia),
    seller: view.operation === "search" ? null : toSeller(view),
    inputs,
  });
};

/** What differs among the variants. */
const describe = ({ title, variant }: NonNullable<EntryLine["variant"]>): string =>
  variant.options.map(({ name, value }) => `${name}: ${value}`).join(", ") || title;

const toAvailability = ({ orderable, status }: EntryLine["offer"]["stock"]) => ({
  available: orderable,
  status: status === "limited_stock" ? "in_stock" : status,
});

const toQuantityUnit = (step: number | null | undefined) =>
  step && step > 1 ? { unit: "C62", display_text: "pc", increment: step } : null;

const toSeller = ({ snapshot }: UcpView) => {
  const shop = snapshot.shop();
  return shop && omitEmpty({ name: shop.name, links: listSellerLinks(snapshot) });
};

const toMedia = ({ url, alt, width, height }: Image) =>
  omitEmpty({ type: "image", url, alt_text: alt, width, height });

const toOtherMedia = ({ type, url, alt }: NonNullable<Product["text"]["facts"]["media"]>[number]) =>
  omitEmpty({ type, url, alt_text: alt });

export const toOptionValue = ({ value, id }: OptionValueData) =>
  id == null ? { label: value } : { label: value, id };

const toOption = ({ name, values }: Product["text"]["options"][number]) => ({
  name,
  values: values.map(toOptionValue),
});

const toRating = ({ text }: Product) => {
  const rating = toScaledRating(text.facts.rating);
  return (
    rating && {
      ...{ value: rating.value, scale_min: rating.worst, scale_max: rating.best },
      count: rating.count,
    }
  );
};
