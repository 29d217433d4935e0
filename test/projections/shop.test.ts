import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveRobots, evolveSettings } from "../../projections/shop.ts";
import { defaultPolicy } from "../../src/offers/policy.ts";
import type { SettingsRow } from "../../src/read-model/schema/rows.ts";
import { type Attributes, robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { at, eventOf, fold, text } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const settings = suite("the settings of a shop");

type Event = Parameters<typeof evolveSettings>[1];
const evolve = (row: SettingsRow | undefined, event: Event) => evolveSettings(row, event, text);
const updated = (data: Parameters<typeof settingsUpdated>[0], attributes: Attributes = at(1)) =>
  eventOf("shop.settings.updated", settingsUpdated(data, attributes));

addFieldGroupCases(settings, {
  evolve,
  one: (attributes) => updated({ name: "One" }, attributes),
  other: (attributes) => updated({ name: "Other" }, attributes),
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

settings("an absent member takes its default, also after an event that set it", () => {
  const money = { amount: "50.00", currency: "EUR" };
  const rich = updated({
    description: " Shoes ",
    pricesVisible: false,
    freeShippingThreshold: money,
    checkoutLink: { preset: "shopify" },
    contact: { email: "a@shop.example" },
  });
  assert.equal(fold(evolve, [rich])?.content, {
    name: "Example Shop",
    url: "https://shop.example",
    language: "en",
    currency: "EUR",
    description: "Shoes",
    deprecationPolicy: null,
    freeShippingThreshold: money,
    checkoutLink: { preset: "shopify" },
    contact: { email: "a@shop.example", url: null },
    ...{ ...defaultPolicy, pricesVisible: false },
  });
  assert.equal(fold(evolve, [rich, updated({}, at(2))])?.content, {
    name: "Example Shop",
    url: "https://shop.example",
    language: "en",
    currency: "EUR",
    description: null,
    deprecationPolicy: null,
    freeShippingThreshold: null,
    checkoutLink: null,
    contact: null,
    ...defaultPolicy,
  });
});

settings.run();

const robots = suite("the robots.txt of a shop");

addFieldGroupCases(robots, {
  evolve: evolveRobots,
  one: (attributes) =>
    eventOf("shop.robots.updated", robotsUpdated("User-agent: *\nDisallow: /cart ", attributes)),
  other: (attributes) => eventOf("shop.robots.updated", robotsUpdated("", attributes)),
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

robots("the text is stored verbatim", () => {
  const lines = " User-agent: *\r\nDisallow:\t/ \n";
  const row = fold(evolveRobots, [eventOf("shop.robots.updated", robotsUpdated(lines))]);
  assert.is(row?.content?.text, lines);
});

robots.run();
