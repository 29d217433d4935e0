/** Where runs of one kind stand: their rows by the key of their first entry. */
export interface RunRows<K, R> {
  /** Key of the run that begins before everything. */
  readonly first: K;
  /** The greatest key of a stored run at or before `key`; `first` when there is none. */
  floor(key: K): K;
  /** The same, of those strictly before. */
  below(key: K): K;
  /** An empty run when nothing is stored there. */
  load(key: K): R;
  save(key: K, run: R): void;
  remove(key: K): void;
}

/** What can be done with runs of one kind. */
export interface RunKind<K, R, C> {
  keyOf(change: C): K;
  /** Whether the change takes its entry out. */
  isRemoval(change: C): boolean;
  merge(run: R, changes: readonly C[]): R;
  join(one: R, other: R): R;
  /** The run cut wherever one starts: each part with its first key; what stands before the first cut comes under `from`. */
  cut(run: R, from: K): readonly (readonly [K, R])[];
  startsWith(run: R, key: K): boolean;
  /** Key of the last entry; undefined for an empty run. */
  endOf(run: R): K | undefined;
}

/**
 * Applies changes, in ascending order of their keys, to the runs they fall into; others are not touched. A run ends
 * where the next begins, so one whose first entry goes is joined to the one before it.
 */
export const rewriteRuns = <K extends string | number, R, C>(
  rows: RunRows<K, R>,
  kind: RunKind<K, R, C>,
  changes: readonly C[],
): void => {
  let pending: { readonly key: K; run: R } | undefined;
  const settle = (): void => {
    if (pending) saveCut(rows, kind, pending.key, pending.run);
    pending = undefined;
  };
  for (const { key, run: stored, told } of byRun(rows, kind, changes)) {
    const run = kind.merge(stored, told);
    const headless = key !== rows.first && !kind.startsWith(run, key);
    if (headless) rows.remove(key);
    if (headless && pending) pending.run = kind.join(pending.run, run);
    else {
      settle();
      pending = { key, run };
    }
  }
  settle();
};

/** A run as it is stored, and what was told of it. */
interface Told<K, R, C> {
  readonly key: K;
  readonly run: R;
  readonly told: C[];
}

/** Changes by the run they fall into, ascending; a run that loses its first entry brings the one before it along. */
const byRun = <K extends string | number, R, C>(
  rows: RunRows<K, R>,
  kind: RunKind<K, R, C>,
  changes: readonly C[],
): readonly Told<K, R, C>[] => {
  const groups: Told<K, R, C>[] = [];
  const groupOf = (key: K): Told<K, R, C> => {
    const known = groups.at(-1);
    if (known?.key === key) return known;
    const group = { key, run: rows.load(key), told: [] };
    groups.push(group);
    return group;
  };
  /** Where a change falls into: to look for it is dear, and what is not behind the end of a run is in that run. */
  const runOf = (key: K): K => {
    const known = groups.at(-1);
    const end = known && kind.endOf(known.run);
    if (known && end !== undefined && key <= end) return known.key;
    return lastRun !== undefined && key >= lastRun ? lastRun : rows.floor(key);
  };
  // A catalogue mostly grows at its end: for what falls into the last of the runs, one look is enough.
  const last = changes.at(-1);
  const lastRun = last && rows.floor(kind.keyOf(last));
  for (const change of changes) {
    const key = kind.keyOf(change);
    const run = runOf(key);
    if (run === key && run !== rows.first && kind.isRemoval(change)) groupOf(rows.below(run));
    groupOf(run).told.push(change);
  }
  return groups;
};

const saveCut = <K, R, C>(rows: RunRows<K, R>, kind: RunKind<K, R, C>, from: K, run: R): void => {
  const parts = kind.cut(run, from);
  if (kind.endOf(run) === undefined) rows.remove(from);
  for (const [key, part] of parts) rows.save(key, part);
  if (parts.length > 0 && parts[0]?.[0] !== from) rows.remove(from);
};

/** Merges sorted arrays of entries with what was told of some of them; `undefined` takes an entry out. */
export const mergeEntries = <K extends string | number, E>(
  entries: readonly E[],
  changes: readonly (readonly [K, E | undefined])[],
  keyOf: (entry: E) => K,
): E[] => {
  const merged: E[] = [];
  let at = 0;
  for (const [key, entry] of changes) {
    while (at < entries.length && keyOf(entries[at] as E) < key) merged.push(entries[at++] as E);
    if (at < entries.length && keyOf(entries[at] as E) === key) at += 1;
    if (entry !== undefined) merged.push(entry);
  }
  while (at < entries.length) merged.push(entries[at++] as E);
  return merged;
};

/** Runs that are arrays of entries. */
export const arrayRuns = <K extends string | number, E>(
  keyOf: (entry: E) => K,
  starts: (key: K) => boolean,
): RunKind<K, readonly E[], readonly [K, E | undefined]> => ({
  keyOf: ([key]) => key,
  isRemoval: ([, entry]) => entry === undefined,
  merge: (run, changes) => mergeEntries(run, changes, keyOf),
  join: (one, other) => [...one, ...other],
  cut(run, from) {
    const parts: [K, E[]][] = [];
    for (const entry of run) {
      const key = keyOf(entry);
      const last = parts.at(-1);
      if (last && !starts(key)) last[1].push(entry);
      else parts.push([starts(key) ? key : from, [entry]]);
    }
    return parts;
  },
  startsWith: ([entry], key) => entry !== undefined && keyOf(entry) === key,
  endOf(run) {
    const last = run.at(-1);
    return last === undefined ? undefined : keyOf(last);
  },
});
