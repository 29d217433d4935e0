import type { EventOfType } from "../src/events/event.ts";
import type { CarrierRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, type Rendering, stampOf } from "./field-group.ts";

/** Folds carrier events into a carrier: destination countries, price range, delivery days. */
export const evolveCarrier = (
  row: CarrierRow | undefined,
  event: EventOfType<"shop.carrier.upserted" | "shop.carrier.deleted">,
  rendering: Rendering,
): Evolved<CarrierRow> => {
  if (event.type === "shop.carrier.deleted") return evolveGroup(row, stampOf(event), null);
  const { id, name, countries, price, deliveryDays, active } = event.data;
  const content = {
    id,
    name: rendering.plain(name),
    countries,
    price,
    deliveryDays,
    active: active ?? true,
  };
  return evolveGroup(row, stampOf(event), content);
};
