import { type OfferPolicy, toOfferPolicy } from "../../offers/policy.ts";
import type { SettingsRow } from "../../read-model/schema/rows.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

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
