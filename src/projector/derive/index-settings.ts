import type { SettingsRow } from "../../read-model/schema/rows.ts";
import type { Batch } from "../batch/unit-of-work.ts";

/** Holds the shop's settings that the indexes of its products depend on. */
export interface IndexSettings {
  /** ISO 639-1 code: it decides over stems and over the order of names. */
  readonly language: string;
  /** ISO 4217 code: only prices in it are compared. Undefined until the shop's settings are known. */
  readonly currency: string | undefined;
}

/** Holds these settings before a batch and after it. */
export interface IndexSettingsChange {
  readonly before: IndexSettings;
  readonly after: IndexSettings;
}

export const indexSettingsOf = ({ settings }: Batch): IndexSettingsChange => ({
  before: indexSettingsIn(settings.before("settings")),
  after: indexSettingsIn(settings.get("settings")),
});

const indexSettingsIn = (row: SettingsRow | undefined): IndexSettings => ({
  language: row?.content?.language ?? "en",
  currency: row?.content?.currency,
});
