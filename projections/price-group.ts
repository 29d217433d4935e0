import type { PriceMembers } from "../src/events/product-facts.ts";
import { emptyPriceGroup, type PriceGroup } from "../src/offers/price.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type {
  EventVersion,
  MemberVersion,
  PriceFieldGroup,
} from "../src/read-model/schema/rows.ts";
import { computeChangedAt, isSameEvent, isStale } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/** The members of a price group that one event sets. */
export type PriceChanges = { readonly [M in keyof PriceGroup]?: PriceGroup[M] };

const members = Object.keys(emptyPriceGroup) as readonly (keyof PriceGroup)[];

/** Version of a member that no event has set. */
const unset: EventVersion = { id: "", time: 0 };

/** Builds the complete price group of an event: a member that the event leaves out is none. */
export const toPriceGroup = ({
  price,
  listPrice,
  priorPrice,
  sales,
}: PriceMembers): PriceGroup => ({
  price: price ?? null,
  listPrice: listPrice ?? null,
  priorPrice: priorPrice ?? null,
  sales: (sales ?? []).map(({ price: reduced, from, to }) => ({
    price: reduced,
    from: from ?? null,
    to: to ?? null,
  })),
});

/** Converts prices to members of an event; members that are none are left out, but `price`. */
export const toPriceMembers = (group: PriceGroup): PriceMembers => {
  const { price, listPrice, priorPrice, sales } = group;
  return {
    price,
    ...(listPrice && { listPrice }),
    ...(priorPrice && { priorPrice }),
    ...(sales.length > 0 && { sales }),
  };
};

/** The event that set a member, and what else is stored of it. */
export type Origin = Omit<MemberVersion, "members">;

/** Returns the origin of a member. @param isLater whether the group's own version is after `price` in the log, at its time */
export const originOf = (
  { version, content, memberVersions }: PriceFieldGroup,
  member: keyof PriceGroup,
  isLater: boolean,
): Origin =>
  memberVersions?.find((each) => each.members.includes(member)) ?? {
    version,
    isCleared: content === null,
    ...(isLater && { isLater }),
  };

/**
 * Folds the members that an event sets into a price group. Each member has the newest event that set it, because a patch sets some
 * and leaves the others alone.
 * @param isLater whether the group's version is after `price` in the log, at its time
 * @param origin of the members that the event sets; a deletion clears all that are older than it
 */
export const foldPrices = (
  group: PriceFieldGroup | null,
  isLater: boolean,
  origin: Origin,
  changes: PriceChanges,
): EvolveResult<PriceFieldGroup> => {
  const { version } = origin;
  const isNewest = !group || !isStale(version, group.version);
  const newest = isNewest ? version : group.version;
  const statesAll = isComplete(changes) && !group?.memberVersions;
  const merged = statesAll
    ? isNewest && { content: origin.isCleared ? null : changes, memberVersions: [] }
    : foldMembers(group, newest, isLater, origin, changes);
  if (!merged) return { outcome: "stale" };
  const { content, memberVersions } = merged;
  const isUnchanged = group !== null && deepEqual(group.content, content);
  if (group && isUnchanged && isSameEvent(group.version, version)) return { outcome: "repeated" };
  const row: PriceFieldGroup = {
    version: newest,
    content,
    contentChangedAt: computeChangedAt(group, isUnchanged, version),
    previousPriceAt: isUnchanged || !group ? (group?.previousPriceAt ?? null) : group.version.time,
  };
  return { outcome: "applied", row: memberVersions.length > 0 ? { ...row, memberVersions } : row };
};

const isComplete = (changes: PriceChanges): changes is PriceGroup =>
  members.every((member) => changes[member] !== undefined);

/** @returns undefined when each member that the event sets has a newer event */
const foldMembers = (
  group: PriceFieldGroup | null,
  newest: EventVersion,
  isLater: boolean,
  origin: Origin,
  changes: PriceChanges,
): Required<Pick<PriceFieldGroup, "content" | "memberVersions">> | undefined => {
  const { version } = origin;
  const stored = group?.content ?? emptyPriceGroup;
  const before = (member: keyof PriceGroup): Origin =>
    group ? originOf(group, member, isLater) : { version: unset, isCleared: false };
  const isSet = (member: keyof PriceGroup): boolean =>
    changes[member] !== undefined && !isStale(version, before(member).version);
  if (!members.some(isSet)) return undefined;
  const memberVersions = groupByVersion(newest, (member) =>
    isSet(member) ? origin : before(member),
  );
  if (origin.isCleared && memberVersions.length === 0) return { content: null, memberVersions };
  const pick = <M extends keyof PriceGroup>(member: M): PriceGroup[M] => {
    const change: PriceGroup[M] | undefined = changes[member];
    return change !== undefined && isSet(member) ? change : stored[member];
  };
  return { content: buildPriceGroup(pick), memberVersions };
};

/** Builds a group of the value of each member. */
export const buildPriceGroup = (
  pick: <M extends keyof PriceGroup>(member: M) => PriceGroup[M],
): PriceGroup => ({
  price: pick("price"),
  listPrice: pick("listPrice"),
  priorPrice: pick("priorPrice"),
  sales: pick("sales"),
});

/** Lists the members whose version is not the newest, grouped by version. */
const groupByVersion = (
  newest: EventVersion,
  find: (member: keyof PriceGroup) => Origin,
): readonly MemberVersion[] => {
  const groups: (MemberVersion & { readonly members: (keyof PriceGroup)[] })[] = [];
  for (const member of members) {
    const origin = find(member);
    if (deepEqual(origin.version, newest)) continue;
    const group = groups.find((each) => deepEqual(each.version, origin.version));
    if (group) group.members.push(member);
    else groups.push({ ...origin, members: [member] });
  }
  return groups;
};
