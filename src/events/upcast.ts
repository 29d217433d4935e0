/** Converts data of one version to the next. Pure; the schema of its version accepted the data. */
export type Upcaster = (data: unknown) => unknown;

/** The upcasters of one event type, by source version. */
export type UpcasterChain = Readonly<Record<number, Upcaster>>;

export type Upcasters = Readonly<Record<string, UpcasterChain>>;

/** Empty, because every event type is at version 1. A version 2 adds `"shop.…": { 1: (data) => … }`. */
export const upcasters: Upcasters = {};

/**
 * Applies the upcasters from a version to the latest one.
 * @returns the data itself when it has the latest version
 */
export function upcast(chain: UpcasterChain, data: unknown, from: number, newest: number): unknown {
  let newer = data;
  for (let version = from; version < newest; version += 1) newer = chain[version]?.(newer);
  return newer;
}
