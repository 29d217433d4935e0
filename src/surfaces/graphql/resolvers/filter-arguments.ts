import type { Condition, StockAvailability } from "../../../events/product-facts.ts";
import type { AttributeFilter } from "../../../read-model/schema/queries.ts";
import { invalidArgument, type UserError } from "../../user-error.ts";
import type { OptionInput } from "./variants.ts";

/** Arguments of `Query.products` about options, attributes and stock; each may be absent or null. */
export interface FilterArguments {
  readonly sku?: string | null;
  readonly options?: readonly OptionInput[] | null;
  readonly attributes?: readonly AttributeInput[] | null;
  readonly condition?: Uppercase<Condition> | null;
  readonly stockStatus?: readonly Uppercase<StockAvailability>[] | null;
  readonly minRating?: number | null;
}

interface AttributeInput {
  readonly name: string;
  readonly value?: string | null;
  readonly min?: string | null;
  readonly max?: string | null;
  readonly unit?: string | null;
}

/** Converts valid arguments to filters. */
export const toValueFilters = (args: FilterArguments, reference: string | null | undefined) => ({
  reference: args.sku ?? reference,
  options: args.options?.length ? args.options : undefined,
  attributes: args.attributes?.length ? args.attributes.map(toAttributeFilter) : undefined,
  condition: args.condition && conditions[args.condition],
  stockStatuses: args.stockStatus?.map((status) => stockStatuses[status]),
  minRating: args.minRating,
});

const conditions = {
  NEW: "new",
  REFURBISHED: "refurbished",
  USED: "used",
} as const satisfies Record<Uppercase<Condition>, Condition>;

const stockStatuses = {
  IN_STOCK: "in_stock",
  LIMITED_STOCK: "limited_stock",
  BACKORDER: "backorder",
  PREORDER: "preorder",
  OUT_OF_STOCK: "out_of_stock",
  DISCONTINUED: "discontinued",
} as const satisfies Record<Uppercase<StockAvailability>, StockAvailability>;

const toAttributeFilter = ({ name, value, min, max, unit }: AttributeInput): AttributeFilter => ({
  name,
  ...(value != null && { value }),
  ...(min != null && { min: Number(min) }),
  ...(max != null && { max: Number(max) }),
  ...(unit != null && { unit }),
});

/** Options and attributes in one request. */
const maxEntries = 10;
const maxText = 500;
const decimal = /^-?\d{1,15}(\.\d{1,9})?$/;

/** Checks the arguments. @returns an error for each that is invalid */
export const findInvalidFilters = (
  args: FilterArguments,
  reference: string | null | undefined,
): readonly UserError[] => [
  ...checkEntries("options", args.options),
  ...checkEntries("attributes", args.attributes),
  ...(args.attributes ?? []).flatMap(checkRange),
  ...check(
    args.sku != null && reference != null,
    "sku",
    "`sku` and `reference` are the same: give one of them.",
  ),
  ...check(
    args.stockStatus?.length === 0,
    "stockStatus",
    "`stockStatus` must not be empty: omit it to match any state.",
  ),
  ...check(
    args.minRating != null && !(args.minRating >= 0 && args.minRating <= 5),
    "minRating",
    "`minRating` must be from 0 to 5.",
  ),
];

const check = (isInvalid: boolean, name: string, message: string): readonly UserError[] =>
  isInvalid ? [invalidArgument(["products", name], message)] : [];

const checkEntries = (
  name: "options" | "attributes",
  entries: readonly { readonly name: string; readonly value?: string | null }[] | null | undefined,
): readonly UserError[] => [
  ...check(
    (entries?.length ?? 0) > maxEntries,
    name,
    `\`${name}\` may have at most ${maxEntries} entries.`,
  ),
  ...check(
    entries?.some((entry) => entry.name.trim() === "" || entry.value?.trim() === "") ?? false,
    name,
    `The names and values of \`${name}\` must not be empty.`,
  ),
  ...check(
    entries?.some((entry) => Math.max(entry.name.length, entry.value?.length ?? 0) > maxText) ??
      false,
    name,
    `The names and values of \`${name}\` may have at most ${maxText} characters.`,
  ),
];

const checkRange = ({ value, min, max }: AttributeInput): readonly UserError[] => [
  ...check(
    [min, max].some((bound) => bound != null && !decimal.test(bound)),
    "attributes",
    "`min` and `max` of an attribute must be decimal numbers such as 10 or 9.90.",
  ),
  ...check(
    value == null && min == null && max == null,
    "attributes",
    "An attribute needs `value`, `min` or `max`.",
  ),
];
