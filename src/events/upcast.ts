/** Brings data of one version to the next. Pure; its own version's schema accepted the data. */
export type Upcaster = (data: unknown) => unknown;

/** The upcasters of one event type, by the version each starts from. */
export type Chain = Readonly<Record<number, Upcaster>>;

export type Upcasters = Readonly<Record<string, Chain>>;

/** None yet: every event type is at version 1. A version 2 adds `"shop.…": { 1: (data) => … }`. */
export const upcasters: Upcasters = {};

/** Applies the chain from a version up to the newest; the data itself when it is the newest. */
export function upcast(chain: Chain, data: unknown, from: number, newest: number): unknown {
  let newer = data;
  for (let version = from; version < newest; version += 1) newer = chain[version]?.(newer);
  return newer;
}
