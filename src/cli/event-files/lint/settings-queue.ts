import type { Rows } from "../../../../projections/projection.ts";
import type { SettingsRow } from "../../../read-model/schema/rows.ts";
import type { LintWarning } from "./model.ts";

type Settings = NonNullable<SettingsRow["content"]>;
export type FindInSettings = (settings: Settings) => readonly LintWarning[];

/** Limits the checks of each topic that wait. */
const maxWaiting = 1_000;

/** Keeps the checks of one file that need the settings of the shop until they arrive. */
export const createSettingsQueue = (rows: Rows<"settings", SettingsRow>) => {
  const waiting = new Map<string, FindInSettings[]>();
  return {
    run(topic: string, find: FindInSettings): readonly LintWarning[] {
      const settings = rows.get("settings")?.content;
      if (settings) return find(settings);
      const finds = waiting.get(topic) ?? [];
      if (finds.length < maxWaiting) finds.push(find);
      waiting.set(topic, finds);
      return [];
    },
    /** Runs the checks that waited, after settings. */
    release(): readonly LintWarning[] {
      const settings = rows.get("settings")?.content;
      const finds = settings ? [...waiting.values()].flat() : [];
      waiting.clear();
      const warnings = finds.flatMap((find) => (settings ? find(settings) : []));
      return warnings.sort((a, b) => a.line - b.line);
    },
  };
};
