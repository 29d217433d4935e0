import type { PriceMembers } from "../src/events/goods.ts";
import { noTerms, type PriceTerms } from "../src/offers/price.ts";
import type { EventVersion, OlderMembers, PriceGroup } from "../src/read-model/schema/rows.ts";
import { deepEqual, isSameEvent, isStale } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/** The members of a price group that one event sets. */
export type PriceChanges = { readonly [M in keyof PriceTerms]?: PriceTerms[M] };

const members = Object.keys(noTerms) as readonly (keyof PriceTerms)[];

/** Version of a member that no event has set. */
const unset: EventVersion = { id: "", time: 0 };

/** Builds the complete price group of an event: a member that the event leaves out is none. */
export const toTerms = ({ price, listPrice, priorPrice, sales }: PriceMembers): PriceTerms => ({
  price: price ?? null,
  listPrice: listPrice ?? null,
  priorPrice: priorPrice ?? null,
  sales: (sales ?? []).map(({ price: reduced, from, to }) => ({
    price: reduced,
    from: from ?? null,
    to: to ?? null,
  })),
});

/** Returns the version of the event that set a member. */
export const memberVersion = (
  { version, older }: PriceGroup,
  member: keyof PriceTerms,
): EventVersion => older?.find((each) => each.members.includes(member))?.version ?? version;

/** Whether a deletion cleared a member, and no event has set it since. */
export const isCleared = ({ content, older }: PriceGroup, member: keyof PriceTerms): boolean =>
  content === null || older?.find((each) => each.members.includes(member))?.isCleared === true;

/**
 * Folds the members that an event sets into a price group. Each member has the newest event that set it, because a patch sets some
 * and leaves the others alone.
 */
export const foldPrices = (
  group: PriceGroup | null,
  version: EventVersion,
  changes: PriceChanges,
): EvolveResult<PriceGroup> => {
  const stored = group?.content ?? noTerms;
  const versionBefore = (member: keyof PriceTerms): EventVersion =>
    group ? memberVersion(group, member) : unset;
  const isSet = (member: keyof PriceTerms): boolean =>
    changes[member] !== undefined && !(group && isStale(version, versionBefore(member)));
  if (!members.some(isSet)) return { outcome: "stale" };
  const content = Object.fromEntries(
    members.map((member) => [member, isSet(member) ? changes[member] : stored[member]]),
  ) as unknown as PriceTerms;
  const isUnchanged = group?.content != null && deepEqual(group.content, content);
  if (group && isUnchanged && isSameEvent(group.version, version)) return { outcome: "repeated" };
  const isNewest = !group || !isStale(version, group.version);
  const newest = isNewest ? version : group.version;
  const older = groupByVersion(newest, (member) =>
    isSet(member)
      ? { version }
      : {
          version: versionBefore(member),
          ...(group && isCleared(group, member) && { isCleared: true }),
        },
  );
  const row: PriceGroup = {
    version: newest,
    contentChangedAt: computeChangedAt(group, isUnchanged, version),
    content,
    previousPriceAt: isUnchanged || !group ? (group?.previousPriceAt ?? null) : group.version.time,
  };
  return { outcome: "applied", row: older.length > 0 ? { ...row, older } : row };
};

/** Computes the date of the content, which never decreases. */
const computeChangedAt = (
  group: PriceGroup | null,
  isUnchanged: boolean,
  { time }: EventVersion,
): number => {
  if (!group) return time;
  return isUnchanged ? group.contentChangedAt : Math.max(group.contentChangedAt, time);
};

/** Lists the members whose version is not the newest, grouped by version. */
const groupByVersion = (
  newest: EventVersion,
  originOf: (member: keyof PriceTerms) => Omit<OlderMembers, "members">,
): readonly OlderMembers[] => {
  const groups: (OlderMembers & { readonly members: (keyof PriceTerms)[] })[] = [];
  for (const member of members) {
    const origin = originOf(member);
    if (deepEqual(origin.version, newest)) continue;
    const group = groups.find((each) => deepEqual(each.version, origin.version));
    if (group) group.members.push(member);
    else groups.push({ ...origin, members: [member] });
  }
  return groups;
};
