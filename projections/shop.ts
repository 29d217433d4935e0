import { toCountryCode } from "../src/events/countries.ts";
import type { EventOfType } from "../src/events/event.ts";
import type { PolicySettings, Returns } from "../src/events/product-facts.ts";
import { type OfferPolicy, toOfferPolicy } from "../src/offers/policy.ts";
import type { RobotsRow, SettingsRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import { cleanValue } from "./product-facts.ts";
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
    freeShippingThreshold: data.freeShippingThreshold ?? null,
    checkoutLink: data.checkoutLink ?? null,
    contact: data.contact
      ? { email: data.contact.email ?? null, url: data.contact.url ?? null }
      : null,
    ...buildPolicy(data, text),
  });
};

const buildPolicy = (data: PolicySettings, text: TextCleaner): OfferPolicy => {
  return toOfferPolicy({
    ...data,
    country: (data.country && toCountryCode(data.country)) ?? null,
    timeZone: data.timeZone ? text.cleanText(data.timeZone) : null,
    returns: (cleanValue(data.returns, text) as Returns | undefined) ?? null,
  });
};

export const evolveRobots = (
  row: RobotsRow | undefined,
  event: EventOfType<"shop.robots.updated">,
): EvolveResult<RobotsRow> => evolveFieldGroup(row, versionOf(event), { text: event.data.text });
