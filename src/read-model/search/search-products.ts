import { hashOfText } from "../../text/hash.ts";
import type { ProductFilters, Understood } from "../reader/reader.ts";
import { tables } from "../schema/tables.ts";
import { everyId, filterSources, withIdentifier } from "./filters.ts";
import { type Ids, idsOf } from "./postings/doc-ids.ts";
import { conjunction, idSource, noSource, type Source } from "./postings/posting-source.ts";
import { noPostings } from "./postings/postings.ts";
import { isIndexedIn, isRatherOneIn, type Lexicon, planOf, type Slot } from "./query-plan.ts";
import { type Ranked, rankedByPayload, rankedOf } from "./ranked-results.ts";
import { relax, relaxedAs, weightOf } from "./relaxed-match.ts";
import { isMeantBy, type Resolved, resolveAll } from "./resolve-terms.ts";
import { rankOfOne, ranksOf, rarityOf } from "./scoring.ts";
import type { SearchMoment } from "./term-query.ts";
import { stemmerOf } from "./text/stemmer.ts";
import type { Thesaurus } from "./text/synonyms.ts";
import { identifierOf, wordsOf } from "./text/tokenizer.ts";

export interface FindMoment extends SearchMoment {
  readonly thesaurus: (language: string | undefined) => Thesaurus;
}

export interface Asked extends ProductFilters {
  readonly query?: string;
  /** Whether products that match only a part of the query do where none matches all of it. */
  readonly relax?: boolean;
}

/**
 * What a walk settled on at its first page. Ranks and matches follow from it, the query, each product and the names of its
 * categories alone, so that other products may change meanwhile.
 */
export interface Pinned {
  /** Of each part of the query, in its order. */
  readonly rarities: readonly number[];
  /** Words each part was taken for. */
  readonly corrected: readonly (readonly string[])[];
  /** What a product has to weigh where not all has to match; 0 where it has. */
  readonly least: number;
  /** Words that were looked for and are in the catalogue: model numbers that the query says in parts, or as they are. */
  readonly joined: readonly string[];
  /** Tells the query from others; 32 bits. */
  readonly asks: number;
}

/** What matches. */
export interface Found {
  /** How many. */
  readonly count: number;
  /** All of them, ascending. */
  ids(): Ids;
  /** How well each matches; undefined where nothing was asked for in words. */
  readonly ranked: Ranked | undefined;
  readonly pinned: Pinned;
  readonly understood: Understood;
}

/** Words of a query that count: 200 characters of some scripts are more, as they are written plainly. */
const mostWords = 100;

/** An exact reference or GTIN stands before everything that only matches words. */
const exactRank = 100_000_000;

/**
 * Every visible product that matches, with its rank.
 * @param pinned what an earlier page of the walk settled on
 * @returns undefined when `pinned` is of another query, or of no walk that a first page began
 */
export const findProducts = (
  moment: FindMoment,
  asked: Asked,
  pinned?: Pinned,
): Found | undefined => {
  const filters = filterSources(moment, asked);
  const query = asked.query?.trim() ?? "";
  if (query === "") {
    const ids = filteredIds(moment, filters);
    return { count: ids.length, ids: () => ids, ...nothingAsked };
  }
  const asks = hashOfText(query);
  const joined: string[] = [];
  const isKnown = pinned ? (word: string) => pinned.joined.includes(word) : isIndexedIn(moment);
  const isIndexed = (word: string, asBeginning?: boolean) =>
    isKnown(word, asBeginning) && joined.push(word) > 0;
  const wordsIn = wordsInFor(moment);
  const isRather: Lexicon["isRatherOne"] = pinned
    ? (_, { written }) => pinned.joined.includes(written)
    : isRatherOneIn(moment, wordsIn);
  const isRatherOne: Lexicon["isRatherOne"] = (two, one) =>
    isRather(two, one) && joined.push(one.written) > 0;
  const thesaurus = moment.thesaurus(languageOf(moment));
  const slots = planOf(wordsIn(query).slice(0, mostWords), {
    thesaurus,
    isIndexed,
    isRatherOne,
    wordsIn,
  });
  if (pinned && (pinned.asks !== asks || pinned.rarities.length !== slots.length)) return undefined;
  if (pinned && pinned.least > 0 && !asked.relax) return undefined;
  if (pinned?.corrected.some((words, at) => !isMeantBy(slots[at], words))) return undefined;
  const resolved = resolveAll(moment, slots, pinned?.corrected);
  const products = moment.stored.get(tables.counters, "products") ?? 0;
  const rarities =
    pinned?.rarities ?? resolved.map(({ source }) => rarityOf(source.count, products));
  const world = { moment, filters, slots, resolved, rarities, products, joined, asks };
  if (pinned && pinned.least > 0) return relaxed(world, pinned.least);
  const all = allWords(world, query);
  if (all.count > 0 || pinned || !asked.relax) return all;
  return relaxed(world, undefined);
};

const filteredIds = ({ stored }: FindMoment, filters: readonly Source[]): Ids =>
  filters.length > 0 ? conjunction(filters).ids : idsOf(everyId(stored));

const nothingAsked = {
  ranked: undefined,
  pinned: { rarities: [], corrected: [], least: 0, joined: [], asks: 0 },
  understood: { corrected: [], unknown: [], relaxed: false },
};

const languageOf = ({ stored }: FindMoment): string | undefined =>
  stored.get(tables.settings, "settings")?.content?.language;

const wordsInFor = (moment: FindMoment): Lexicon["wordsIn"] => {
  const stemmer = stemmerOf(languageOf(moment));
  return (text) => wordsOf(text, stemmer);
};

interface World {
  readonly moment: FindMoment;
  readonly filters: readonly Source[];
  readonly slots: readonly Slot[];
  readonly resolved: readonly Resolved[];
  readonly rarities: readonly number[];
  /** All that there are. */
  readonly products: number;
  readonly joined: readonly string[];
  readonly asks: number;
}

const allWords = (world: World, query: string): Found => {
  const { moment, filters, resolved, rarities } = world;
  const sources = resolved.map(({ source }) => source);
  const exact = conjunction([
    idSource(withIdentifier(moment.stored, identifierOf(query))),
    ...filters,
  ]).ids;
  const [first, ...others] = sources;
  const layers = others.length + filters.length + exact.length === 0 && first?.layers?.();
  if (layers) {
    const [rarity = 0] = rarities;
    return foundOf(
      world,
      rankedByPayload(layers, (payload) => rankOfOne(payload, rarity)),
      0,
    );
  }
  const matching = sources.length === 0 ? none : conjunction([...sources, ...filters]);
  const payloads = matching.payloads.slice(0, sources.length);
  const ranks = ranksOf(matching.ids.length, payloads, rarities);
  if (exact.length === 0) return foundOf(world, rankedOf(matching.ids, ranks), 0);
  const found = foundOf(world, raised(matching.ids, ranks, exact), 0);
  // Whose number the query is was found, whatever its words are.
  return { ...found, understood: { ...found.understood, unknown: [] } };
};

const none = { ids: noPostings.ids, payloads: [] };

const raised = (ids: Ids, ranks: Uint32Array, exact: Ids): Ranked => {
  const all = new Map<number, number>();
  for (const [at, id] of ids.entries()) all.set(id, ranks[at] as number);
  for (const id of exact) all.set(id, exactRank + (all.get(id) ?? 0));
  const sorted = [...all].sort(([a], [b]) => a - b);
  return rankedOf(
    idsOf(sorted.map(([id]) => id)),
    Uint32Array.from(sorted, ([, rank]) => rank),
  );
};

const relaxed = (world: World, pinned: number | undefined): Found | undefined => {
  const { filters, resolved, products } = world;
  const asked = raritiesThatCount(world);
  // Words nothing is found for stay in their places: whether words stand side by side must not change with others.
  const parts = resolved.map(({ source, corrected }, at) => {
    const rarity = asked[at] as number;
    return rarity === 0 ? leftOut : { source, weight: weightOf(rarity, corrected.length > 0) };
  });
  const found =
    pinned === undefined
      ? relax(parts, filters, products)
      : relaxedAs(parts, filters, products, pinned);
  if (!found) return undefined;
  const { ids, payloads, least, counting } = found;
  const rarities = asked.map((rarity, at) => (counting.has(at) ? rarity : 0));
  const ranks = ranksOf(ids.length, payloads, rarities);
  return foundOf({ ...world, rarities }, rankedOf(ids, ranks), least);
};

/**
 * Parts of a query that count where not all have to match, the rarest of those that match anything: each product that
 * comes into question is looked up in all of them.
 */
const mostRelaxed = 12;

const leftOut = { source: noSource, weight: 0 };

/**
 * 0 for what does not count. The first page of a walk leaves so many others at most, so that later ones leave them too:
 * words that nothing is found for come last, as something may be found for them by then.
 */
const raritiesThatCount = ({ resolved, rarities }: World): readonly number[] => {
  const isUnknown = (at: number): number => Number((resolved[at] as Resolved).source.count === 0);
  const best = rarities
    .map((rarity, at) => ({ rarity, at }))
    .filter(({ rarity }) => rarity > 0)
    .sort((a, b) => isUnknown(a.at) - isUnknown(b.at) || b.rarity - a.rarity || a.at - b.at);
  const counting = new Set(best.slice(0, mostRelaxed).map(({ at }) => at));
  return rarities.map((rarity, at) => (counting.has(at) ? rarity : 0));
};

const foundOf = (
  { slots, resolved, rarities, joined, asks }: World,
  ranked: Ranked,
  least: number,
): Found => {
  const corrected = resolved.map((one) => one.corrected);
  const said = slots.map(({ words }) => words.map(({ written }) => written).join(" "));
  return {
    count: ranked.count,
    ids: ranked.ids,
    ranked,
    pinned: { rarities, corrected, least, joined, asks },
    understood: {
      corrected: said.flatMap((word, at) => {
        const words = corrected[at] ?? [];
        return words.length > 0 ? [{ word, words }] : [];
      }),
      unknown: said.filter((_, at) => resolved[at]?.source.count === 0),
      relaxed: least > 0 && ranked.count > 0,
    },
  };
};
