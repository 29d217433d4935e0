import { containsId, type DocIds, indexAfter } from "../postings/doc-ids.ts";
import { countPayloads, type Overlay } from "../postings/overlay.ts";
import type { Payload } from "../postings/payload.ts";
import { unionPostings } from "../postings/postings.ts";
import {
  type AfterId,
  idsWithScore,
  type RankedResults,
  type ScoreGroup,
} from "./ranked-results.ts";

/**
 * Ranks the products of a single term by their payloads. Few payloads differ, so their counts show which can be among
 * the best, and no other product is read.
 */
export const rankSingleTerm = (
  overlay: Overlay,
  scoreOf: (payload: Payload) => number,
): RankedResults => {
  const { base, overrides } = overlay;
  const overrideScores = new Uint32Array(overrides.payloads.length);
  for (const [at, payload] of overrides.payloads.entries()) overrideScores[at] = scoreOf(payload);
  const term: ScoredPostings = { ...overlay, scoreOf, overrideScores };
  const groups = groupByScore(countPayloads(overlay), scoreOf);
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    ids: () => unionPostings([overrides, base.all()], (one) => one).ids,
    selectTop(limit, from) {
      const selected: PayloadGroup[] = [];
      let afterCount = 0;
      for (const group of from ? groupsAfter(term, groups, from) : groups) {
        if (afterCount < limit && group.count > 0) selected.push(group);
        afterCount += group.count;
      }
      return { groups: readGroups(term, selected, from), afterCount };
    },
  };
};

/** A term's postings, and how they score. */
interface ScoredPostings extends Overlay {
  readonly scoreOf: (payload: Payload) => number;
  readonly overrideScores: Uint32Array;
}

interface PayloadGroup {
  readonly score: number;
  readonly payloads: Set<Payload>;
  readonly count: number;
}

const groupByScore = (
  histogram: ReadonlyMap<Payload, number>,
  scoreOf: (payload: Payload) => number,
): readonly PayloadGroup[] => {
  const groups = new Map<number, PayloadGroup>();
  for (const [payload, products] of histogram) {
    const score = scoreOf(payload);
    const { payloads, count } = groups.get(score) ?? { payloads: new Set(), count: 0 };
    groups.set(score, { score, payloads: payloads.add(payload), count: count + products });
  }
  return [...groups.values()].sort((a, b) => b.score - a.score);
};

/** Selects the groups after a position. The products of the group at the position are read to count the rest of it. */
const groupsAfter = (
  term: ScoredPostings,
  groups: readonly PayloadGroup[],
  from: AfterId,
): readonly PayloadGroup[] =>
  groups.flatMap((group) => {
    if (group.score > from.score) return [];
    if (group.score < from.score) return [group];
    return [{ ...group, count: countIds(idsOfGroup(term, group, from.id + 1)) }];
  });

/** Reads groups in one pass over the list, except the last group and the one at the start: these are read lazily. */
const readGroups = (
  term: ScoredPostings,
  groups: readonly PayloadGroup[],
  from: AfterId | undefined,
): readonly ScoreGroup[] => {
  const isLazy = ({ score }: PayloadGroup): boolean =>
    score === groups.at(-1)?.score || score === from?.score;
  const idsByScore = readInOnePass(
    term,
    groups.filter((group) => !isLazy(group)),
  );
  return groups.map((group): ScoreGroup => {
    const { score } = group;
    const firstId = from?.score === score ? from.id + 1 : 0;
    return { score, ids: idsByScore.get(score) ?? idsOfGroup(term, group, firstId) };
  });
};

const readInOnePass = (
  { base, overrides, overrideScores, scoreOf }: ScoredPostings,
  groups: readonly PayloadGroup[],
): ReadonlyMap<number, number[]> => {
  const idsByScore = new Map<number, number[]>(groups.map(({ score }) => [score, []]));
  if (groups.length === 0) return idsByScore;
  base.forEachWith(new Set(groups.flatMap(({ payloads }) => [...payloads])), (id, payload) => {
    if (!containsId(overrides.ids, id)) idsByScore.get(scoreOf(payload))?.push(id);
  });
  for (const [score, ids] of idsByScore) {
    for (const id of idsWithScore(overrides.ids, overrideScores, score)) ids.push(id);
    ids.sort((a, b) => a - b);
  }
  return idsByScore;
};

/** Finds the ids of a group lazily, ascending and from an id on. */
const idsOfGroup = (
  { base, overrides, overrideScores }: ScoredPostings,
  { score, payloads }: PayloadGroup,
  from: number,
): Iterable<number> =>
  merge(
    exclude(base.idsWith(payloads, from), overrides.ids),
    idsWithScore(overrides.ids, overrideScores, score, indexAfter(overrides.ids, from - 1)),
  );

function* exclude(ascending: Iterable<number>, excluded: DocIds): Iterable<number> {
  let at = 0;
  for (const id of ascending) {
    while (at < excluded.length && (excluded[at] as number) < id) at += 1;
    if (excluded[at] !== id) yield id;
  }
}

function* merge(one: Iterable<number>, other: Iterable<number>): Iterable<number> {
  const iterator = other[Symbol.iterator]();
  let next = iterator.next();
  for (const id of one) {
    for (; !next.done && next.value < id; next = iterator.next()) yield next.value;
    yield id;
  }
  for (; !next.done; next = iterator.next()) yield next.value;
}

const countIds = (ids: Iterable<number>): number => {
  let count = 0;
  for (const _ of ids) count += 1;
  return count;
};
