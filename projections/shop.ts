import type { EventOfType } from "../src/events/event.ts";
import type { RobotsRow, SettingsRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, type Rendering, stampOf } from "./field-group.ts";

/** Folds settings events into the shop's settings. Each event is complete: an absent member takes its default. */
export const evolveSettings = (
  row: SettingsRow | undefined,
  event: EventOfType<"shop.settings.updated">,
  rendering: Rendering,
): Evolved<SettingsRow> => {
  const { data } = event;
  return evolveGroup(row, stampOf(event), {
    name: rendering.plain(data.name),
    url: data.url,
    language: data.language,
    currency: data.currency,
    description: data.description ? rendering.plain(data.description) : null,
    deprecationPolicy: data.deprecationPolicy ? rendering.plain(data.deprecationPolicy) : null,
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
): Evolved<RobotsRow> => evolveGroup(row, stampOf(event), { text: event.data.text });
