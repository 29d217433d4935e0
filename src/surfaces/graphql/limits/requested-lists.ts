import { type GraphQLError, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { Variables } from "../compiled/variables.ts";
import { type Fragments, inlineFields } from "./fields.ts";
import { findExceeded, graphqlLimits } from "./limits.ts";
import {
  getPageSize,
  type ListName,
  type Requested,
  type RequestedPage,
  sumTerms,
} from "./requested-fields.ts";

/** Filters that read the prices, options or facts of all matching products, once for all of them. */
const valueFilters = "options attributes onSale condition minRating priceMin priceMax".split(" ");
const valueSorts: readonly unknown[] = ["DISCOUNT", "RATING", "NEWEST"];

/** Checks the sums over a document: page sizes, searches, facets, expensive arguments, variants and fields. */
export const checkPages = (
  { pages, variants, written }: Requested,
  variables: Variables,
): GraphQLError | undefined =>
  findExceeded({
    pageSizes: sumPageSizes(pages, variables),
    ...countSearches(pages, variables),
    variants: sumTerms(variants, variables),
    writtenFields: sumTerms(written, variables),
  })[0];

/** Counts the pages that need a search or a count, and the weights of their arguments; null arguments need none. */
const countSearches = (pages: readonly RequestedPage[], variables: Variables) => {
  let [searches, expensiveArguments] = [0, 0];
  for (const { filters, isCounted } of pages) {
    const values = filters.flatMap(({ name, value }) => {
      const given = readValue(value, variables);
      return given == null ? [] : [[name.value, given] as const];
    });
    if (isCounted || values.length > 0) searches += 1;
    const has = (isMet: (name: string, value: unknown) => boolean): number =>
      values.some(([name, value]) => isMet(name, value)) ? 1 : 0;
    expensiveArguments +=
      (isCounted ? 1 : 0) +
      has((name) => valueFilters.includes(name)) * graphqlLimits.valueFilterWeight +
      has((name, value) => name === "orderBy" && valueSorts.includes(value)) +
      has((name) => name === "stockStatus");
  }
  return { searches, expensiveArguments, facets: pages.filter((page) => page.isCounted).length };
};

/** Reads a variable, a null or the name of an enum value. Any other value counts as itself. */
const readValue = (value: ValueNode, variables: Variables): unknown => {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.NULL) return null;
  return value.kind === Kind.ENUM ? value.value : value;
};

/**
 * Sums the page sizes of all `products` fields, each capped at the maximum page size (Specification §8 rule 1).
 * @param variables already coerced, defaults filled in
 */
const sumPageSizes = (pages: readonly RequestedPage[], variables: Variables): number =>
  pages.reduce(
    (total, { first }) => total + getPageSize(first, variables, graphqlLimits.defaultPageSize),
    0,
  );

interface ListCost {
  readonly fields: number;
  /** Characters of text, counted because an alias repeats a URL for a few bytes. */
  readonly characters: number;
}

/**
 * Counts the lists of one name in an operation. Lists without an alias merge into one field of the response, so they
 * count once. Call it only after the other limits have passed.
 */
export const countLists = (name: ListName, set: SelectionSetNode, fragments: Fragments): number => {
  const fieldsIn = (inner: SelectionSetNode | undefined) =>
    inlineFields(inner, fragments).filter((field) => field.name.value === name);
  let [aliased, hasPlain] = [0, false];
  for (const { alias, selectionSet } of fieldsIn(set)) {
    const lists = fieldsIn(selectionSet);
    const plain = lists.filter((list) => !list.alias);
    aliased += lists.length - plain.length;
    if (plain.length === 0) continue;
    if (alias) aliased += 1;
    else hasPlain = true;
  }
  return aliased + (hasPlain ? 1 : 0);
};

export const measureLists = (
  { categories, policies }: Requested["listed"],
  snapshot: Snapshot,
): ListCost => {
  const [one, other] = [
    measureList(categories, () => snapshot.categories()),
    measureList(policies, () => snapshot.policies()),
  ];
  return { fields: one.fields + other.fields, characters: one.characters + other.characters };
};

const emptyCost: ListCost = { fields: 0, characters: 0 };

const measureList = (fields: readonly string[], read: () => readonly object[]): ListCost => {
  const list = fields.length > 0 ? readOrUndefined(read) : undefined;
  if (!list) return emptyCost;
  let characters = 0;
  for (const entry of list as readonly Readonly<Record<string, unknown>>[]) {
    for (const field of fields) {
      const value = entry[field];
      if (typeof value === "string") characters += value.length;
    }
  }
  return { fields: fields.length * list.length, characters };
};

/** Ignores a list that cannot be read, because its resolver reports the failure. */
const readOrUndefined = (read: () => readonly object[]): readonly object[] | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

export const checkLists = ({ fields, characters }: ListCost): GraphQLError | undefined =>
  findExceeded({ listedFields: fields, answerCharacters: characters })[0];
