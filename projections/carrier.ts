import type { EventOfType } from "../src/events/event.ts";
import type { CarrierRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult, TextCleaner } from "./projection.ts";

/** Folds carrier events into a carrier: destination countries, price range, delivery days. */
export const evolveCarrier = (
  row: CarrierRow | undefined,
  event: EventOfType<"shop.carrier.upserted" | "shop.carrier.deleted">,
  text: TextCleaner,
): EvolveResult<CarrierRow> => {
  if (event.type === "shop.carrier.deleted") return evolveFieldGroup(row, versionOf(event), null);
  const { id, name, countries, price, deliveryDays, active } = event.data;
  const content = {
    id,
    name: text.cleanText(name),
    countries,
    price,
    deliveryDays,
    active: active ?? true,
  };
  return evolveFieldGroup(row, versionOf(event), content);
};
