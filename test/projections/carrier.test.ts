import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveCarrier } from "../../projections/carrier.ts";
import type { CarrierRow } from "../../src/read-model/schema/rows.ts";
import { type Attributes, carrierDeleted, carrierUpserted } from "../helpers/events.ts";
import { at, eventOf, fold, text } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("a carrier");

type Event = Parameters<typeof evolveCarrier>[1];
const evolve = (row: CarrierRow | undefined, event: Event) => evolveCarrier(row, event, text);
const upserted = (data: Parameters<typeof carrierUpserted>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.carrier.upserted", carrierUpserted(data, attributes));

addFieldGroupCases<CarrierRow, Event>(test, {
  evolve,
  one: (attributes) => upserted({ name: "Post" }, attributes),
  other: (attributes) => upserted({ name: "Courier" }, attributes),
  deleted: (attributes) => eventOf("shop.carrier.deleted", carrierDeleted(1, attributes)),
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

test("the name is cleaned, and a carrier is active by default", () => {
  assert.equal(fold(evolve, [upserted({ id: 4, name: " Post " })])?.content, {
    id: 4,
    name: "Post",
    countries: ["DE", "AT"],
    price: { min: "4.90", max: "9.90", currency: "EUR" },
    deliveryDays: { min: 1, max: 3 },
    active: true,
  });
});

test("a carrier can be inactive", () => {
  assert.is(fold(evolve, [upserted({ active: false })])?.content?.active, false);
});

test.run();
