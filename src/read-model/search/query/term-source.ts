import { tables } from "../../schema/tables.ts";
import { termKey, termOfKey } from "../postings/list-keys.ts";
import { impactOf, type Payload } from "../postings/payload.ts";
import type { PostingList } from "../postings/posting-list.ts";
import { mapPayloads, type PostingSource } from "../postings/posting-source.ts";
import { adjacentInName } from "../postings/source-intersection.ts";
import { unionSources } from "../postings/source-union.ts";
import type { Token } from "../text/token.ts";
import type { SearchContext } from "./search-context.ts";

/** Weight of a prefix match relative to the exact term, in sixteenths. */
const prefixWeight = 8;

/** Matches products with a token in any of its forms, or as a prefix, or in a category whose name has it. */
export const termSource = (
  context: SearchContext,
  token: Token,
  asPrefix: boolean,
): PostingSource => {
  const { surface, stem } = token;
  const prefix = asPrefix ? surface : undefined;
  return unionWithCategories(
    textSource(context, token, findStems(context, token), asPrefix),
    openCategoryLists(context, [stem, surface], prefix),
    16,
  );
};

const textSource = (
  context: SearchContext,
  token: Token,
  stems: ReadonlySet<string>,
  asPrefix: boolean,
): PostingSource => {
  const prefixLists = asPrefix ? openPrefixLists(context, token, stems) : [];
  return unionSources([
    ...openTermLists(context, stems),
    ...(prefixLists.length > 0 ? [unionScaled(prefixLists, prefixWeight)] : []),
  ]);
};

/** Weight of a corrected word relative to the exact term, in sixteenths. */
const correctionWeight = 11;

/** Weight of two words that the query writes as one, in sixteenths. The spelling of the query ranks first. */
const splitWeight = 8;

/** Matches products with a correction, which is a word of the catalogue. */
export const correctedTermSource = (context: SearchContext, surface: string): PostingSource =>
  unionWithCategories(
    unionScaled(openFormLists(context, surface), correctionWeight),
    openCategoryLists(context, [surface]),
    correctionWeight,
  );

/** Matches products with the tokens side by side in the name. @param asPrefix whether the last may go on */
export const adjacentSource = (
  context: SearchContext,
  tokens: readonly Token[],
  asPrefix: boolean,
): PostingSource => {
  const sources = tokens.map((token, at) =>
    textSource(context, token, new Set([token.stem]), asPrefix && at === tokens.length - 1),
  );
  return scaleImpacts(adjacentInName(sources), splitWeight);
};

/** Counts products with a surface form, and products in categories whose name has it. */
export const countProductsWith = (context: SearchContext, surface: string): number => {
  const counts = [
    ...openFormLists(context, surface).map((list) => list.forms().get(surface) ?? 0),
    ...openCategoryLists(context, [surface]).map(({ count }) => count),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
};

/** Impact of a category's name on its products: alone, and added to the product's own impact. */
const categoryImpact = { alone: 84, added: 12 };

const unionWithCategories = (
  textSource: PostingSource,
  lists: readonly PostingList[],
  sixteenths: number,
): PostingSource => {
  const categories = unionSources(lists);
  if (categories.count === 0) return textSource;
  const categorySource = mapPayloads(categories, () => (categoryImpact.alone * sixteenths) >> 4);
  return textSource.count === 0
    ? categorySource
    : unionSources([textSource, categorySource], addCategoryImpact);
};

const addCategoryImpact = (one: Payload, other: Payload): Payload => {
  const [impact, otherImpact] = [impactOf(one), impactOf(other)];
  const nameBits = one - impact || other - otherImpact;
  return nameBits + Math.min(127, Math.max(impact, otherImpact) + categoryImpact.added);
};

/** Unites lists and scales their impacts by some sixteenths. */
const unionScaled = (lists: readonly PostingList[], sixteenths: number): PostingSource =>
  scaleImpacts(unionSources(lists), sixteenths);

const scaleImpacts = (source: PostingSource, sixteenths: number): PostingSource =>
  mapPayloads(source, (payload) => {
    const impact = impactOf(payload);
    return payload - impact + ((impact * sixteenths) >> 4 || 1);
  });

/** Finds the stem of a token and the stems of its spelling variants. */
const findStems = (
  { stemVariants }: SearchContext,
  { surface, stem }: Pick<Token, "surface" | "stem">,
): ReadonlySet<string> => new Set([stem, ...stemVariants(surface)]);

const openFormLists = (context: SearchContext, surface: string): readonly PostingList[] =>
  openTermLists(context, findStems(context, { surface, stem: surface }));

const openTermLists = (
  { openList }: SearchContext,
  stems: Iterable<string>,
): readonly PostingList[] => [...stems].flatMap((stem) => openList(termKey(stem)) ?? []);

/** Opens the lists of categories whose names have one of these words, or a word that starts with `prefix`. */
const openCategoryLists = (
  { categoryTerms, openCategoryList }: SearchContext,
  words: readonly string[],
  prefix?: string,
): readonly PostingList[] =>
  [...categoryTerms().findCategories(words, prefix)].flatMap((id) => openCategoryList(id) ?? []);

/** Limits the terms of a prefix, because one or two letters begin more words than a customer means. */
const maxPrefixTerms = (surface: string): number => (surface.length > 1 ? 4_096 : 1_024);

const openPrefixLists = (
  context: SearchContext,
  { surface }: Token,
  exactStems: ReadonlySet<string>,
): readonly PostingList[] => {
  const { stored } = context;
  const stems = new Set<string>();
  const limit = maxPrefixTerms(surface);
  const termRange = { start: termKey(surface), end: termKey(`${surface}\u{10ffff}`) };
  for (const key of stored.keys(tables.postingLists, { ...termRange, limit })) {
    stems.add(termOfKey(key));
  }
  const formRange = { start: [surface], end: [`${surface}\u{10ffff}`], limit } as const;
  for (const [, form] of stored.keys(tables.stemForms, formRange)) stems.add(form);
  for (const stem of exactStems) stems.delete(stem);
  return openTermLists(context, stems);
};
