import type { EventOfType } from "../src/events/event.ts";
import type { RobotsRow, SettingsRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult, TextCleaner } from "./projection.ts";

/** Folds settings events into the shop's settings. Each event is complete: an absent member takes its default. */
export const evolveSettings = (
  row: SettingsRow | undefined,
  event: EventOfType<"shop.settings.updated">,
  text: TextCleaner,
): EvolveResult<SettingsRow> => {
  const { data } = event;
  return evolveFieldGroup(row, versionOf(event), {
    name: text.cleanText(data.name),
    url: data.url,
    language: data.language,
    currency: data.currency,
    description: data.description ? text.cleanText(data.description) : null,
    deprecationPolicy: data.deprecationPolicy ? text.cleanText(data.deprecationPolicy) : null,
    pricesVisible: data.pricesVisible ?? true,
    freeShippingThreshold: data.freeShippingThreshold ?? null,
    checkoutLink: data.checkoutLink ?? null,
    contact: data.contact
      ? { email: data.contact.email ?? null, url: data.contact.url ?? null }
      : null,
  });
};

/** Stores the shop's robots.txt verbatim. */
export const evolveRobots = (
  row: RobotsRow | undefined,
  event: EventOfType<"shop.robots.updated">,
): EvolveResult<RobotsRow> => evolveFieldGroup(row, versionOf(event), { text: event.data.text });
