import { type OfferPolicy, toOfferPolicy } from "../../offers/policy.ts";
import type { SettingsRow } from "../../read-model/schema/rows.ts";
import { type CounterName, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { putOrRemove } from "./set-diff.ts";

/** What every step of a derivation reads and writes. */
export interface Derivation {
  readonly batch: UnitOfWork;
  readonly stored: WritableTables;
  readonly counters: Counters;
  readonly settings: IndexSettingsChange;
}

export type Counters = ReturnType<typeof openCounters>;

/** Opens the counters of the model, which are changed by deltas and written once for each batch. */
export const openCounters = (stored: WritableTables) => {
  const values = new Map<CounterName, number>();
  const read = (name: CounterName): number =>
    values.get(name) ?? stored.get(tables.counters, name) ?? 0;
  return {
    add(name: CounterName, delta: number): void {
      if (delta !== 0) values.set(name, read(name) + delta);
    },
    set: (name: CounterName, value: number): void => void values.set(name, value),
    flush(): void {
      // Writes no row for 0: a count that rose and fell inside one batch must leave the rows that two batches leave.
      for (const [name, value] of values)
        putOrRemove(stored, tables.counters, name, value || undefined);
    },
  };
};

/** Settings of the shop that the indexes of its products depend on. */
export interface IndexSettings {
  /** ISO 639-1 code; it determines the stems and the sort of names. */
  readonly language: string;
  /** ISO 4217 code: only prices in it are compared. Undefined until the shop's settings are known. */
  readonly currency: string | undefined;
  /** How prices and stock are shown: discounts and the end of bare dates depend on it. */
  readonly policy: OfferPolicy;
}

export interface IndexSettingsChange {
  readonly before: IndexSettings;
  readonly after: IndexSettings;
}

export const readIndexSettings = ({ settings }: UnitOfWork): IndexSettingsChange => ({
  before: toIndexSettings(settings.original("settings")),
  after: toIndexSettings(settings.get("settings")),
});

const toIndexSettings = (row: SettingsRow | undefined): IndexSettings => ({
  language: row?.content?.language ?? "en",
  currency: row?.content?.currency,
  policy: toOfferPolicy(row?.content ?? {}),
});

export const hasOtherLanguage = ({ before, after }: IndexSettingsChange): boolean =>
  before.language !== after.language;
