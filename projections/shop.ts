import { toCountryCode } from "../src/events/countries.ts";
import type { EventOfType } from "../src/events/event.ts";
import type { GoodsSettings } from "../src/events/goods.ts";
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
  const goods = buildGoodsSettings(data, text);
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
    ...(goods && { goods }),
  });
};

/** @returns undefined when the settings say nothing of prices and stock */
const buildGoodsSettings = (data: GoodsSettings, text: TextCleaner): GoodsSettings | undefined => {
  const { listPriceKind, taxIncluded, quantityVisible, lowStockThreshold } = data;
  const { upcomingSales, returns, timeZone } = data;
  const country = data.country ? toCountryCode(data.country) : null;
  const [shown, rest] = [
    { listPriceKind, taxIncluded, quantityVisible, lowStockThreshold },
    { upcomingSales, returns, country, timeZone },
  ];
  return cleanValue({ ...shown, ...rest }, text) as GoodsSettings | undefined;
};

/** Stores the shop's robots.txt verbatim. */
export const evolveRobots = (
  row: RobotsRow | undefined,
  event: EventOfType<"shop.robots.updated">,
): EvolveResult<RobotsRow> => evolveFieldGroup(row, versionOf(event), { text: event.data.text });
