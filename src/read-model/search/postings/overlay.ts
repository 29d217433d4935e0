import { indexesWhere, pickIds, pickPayloads } from "./intersection.ts";
import type { PackedList } from "./packed-list.ts";
import { type Combine, higherImpact, type Payload, payloadCount } from "./payload.ts";
import { findPayloads, type Postings, unionPostings } from "./postings.ts";

/** A packed list, with postings that replace some of its own and add others. */
export interface Overlay {
  readonly base: PackedList;
  readonly overrides: Postings;
}

export const addOverlay = (
  { base, overrides }: Overlay,
  more: Postings,
  combine: Combine,
): Overlay => {
  const [overPayloads, basePayloads] = [findPayloads(overrides, more.ids), base.at(more.ids)];
  const payloads = more.payloads.map((payload, at) => {
    const current = (overPayloads[at] || basePayloads[at]) as number;
    return current === 0 ? payload : combine(current, payload);
  });
  const added = findPayloads(more, overrides.ids);
  const unchanged = indexesWhere(added.length, (at) => added[at] === 0);
  const unchangedPostings = {
    ids: pickIds(overrides.ids, unchanged),
    payloads: pickPayloads(overrides.payloads, unchanged),
  };
  return {
    base,
    overrides: unionPostings([unchangedPostings, { ids: more.ids, payloads }], higherImpact),
  };
};

/** Work buffer: products by payload. Invariant: all zeros between two uses. */
const countByPayload = new Int32Array(payloadCount);

/** Counts products by payload, with the overlay applied. */
export const countPayloads = ({ base, overrides }: Overlay): ReadonlyMap<Payload, number> => {
  const histogram = new Map<Payload, number>();
  const baseCounts = base.payloadHistogram();
  const add = (payload: Payload, products: number): void => {
    countByPayload[payload] = (countByPayload[payload] as number) + products;
  };
  for (const [payload, count] of baseCounts) add(payload, count);
  for (const payload of base.at(overrides.ids)) add(payload, -1);
  for (const payload of overrides.payloads) add(payload, 1);
  // Payload 0 stands for an id that is not in the list.
  countByPayload[0] = 0;
  const collect = (payload: Payload): void => {
    const count = countByPayload[payload] as number;
    if (count > 0) histogram.set(payload, count);
    countByPayload[payload] = 0;
  };
  for (const [payload] of baseCounts) collect(payload);
  for (const payload of overrides.payloads) collect(payload);
  return histogram;
};
