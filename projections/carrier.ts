import type { EventOfType } from "../src/events/event.ts";
import type { CarrierRow } from "../src/read-model/schema/rows.ts";
import {
  type EvolveResult,
  evolveFieldGroup,
  type HtmlRenderer,
  versionOf,
} from "./field-group.ts";

/** Folds carrier events into a carrier: destination countries, price range, delivery days. */
export const evolveCarrier = (
  row: CarrierRow | undefined,
  event: EventOfType<"shop.carrier.upserted" | "shop.carrier.deleted">,
  rendering: HtmlRenderer,
): EvolveResult<CarrierRow> => {
  if (event.type === "shop.carrier.deleted") return evolveFieldGroup(row, versionOf(event), null);
  const { id, name, countries, price, deliveryDays, active } = event.data;
  const content = {
    id,
    name: rendering.cleanText(name),
    countries,
    price,
    deliveryDays,
    active: active ?? true,
  };
  return evolveFieldGroup(row, versionOf(event), content);
};
