/** Generates random event histories of products. */
import fc from "fast-check";
import type { CloudEvent } from "../src/events/envelope.ts";
import type { AppliedEvent, Core } from "./agreement-model.ts";
import { cloudEvent } from "./helpers/events.ts";

const word = fc.oneof(
  fc.string({
    unit: fc.constantFrom(..."abcÅ日🥾019#*_`[]()<>|~\\!&-+.:'\""),
    minLength: 1,
    maxLength: 8,
  }),
  fc.constantFrom("1.", "#", "&amp;", "<b>", "www.shop.example", "https://a.example/b_c_"),
);

const name = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => `${words.join(" ")} no. 1`);

/** Addresses in which ID stands for the product's id, so that no two products share an address. */
const url = fc
  .constantFrom("/products/ID", "/p?id=ID&all=1", "/schuhe/ID-größe(42)", "/p/ID/", "/%C3%A9/ID")
  .map((path) => `https://shop.example${path}`);

const members = {
  name,
  url,
  brand: fc.constantFrom("Acme", null),
  active: fc.boolean().chain((often) => (often ? fc.constant(true) : fc.boolean())),
};
const core: fc.Arbitrary<Core> = fc.record(members);
/**
 * Members of a patch. Each patch has another brand: of patches that wait for their product the projector stores only the
 * newest value of each member, so it cannot know whether an older value was a change.
 */
const part: fc.Arbitrary<Partial<Core>> = fc.record(
  { ...members, brand: fc.uuid() },
  { requiredKeys: ["brand"] },
);

const price = fc.constantFrom("1.00 EUR", "2.5 EUR", "1999.000001 EUR", "0 USD", null);
const mayPrice = fc.oneof(
  price.map((price) => ({ price })),
  fc.constant({}),
);

/** Times from a small range, so that events often have the same time. */
const time = fc
  .tuple(fc.nat({ max: 30 }), fc.constantFrom(0, 7))
  .map(([minute, ms]) => new Date(Date.UTC(2026, 9, 1, 8, minute, 0, ms)).toISOString());

const patched = fc
  .tuple(time, part, mayPrice)
  .map(([time, core, more]) => ({ type: "patched" as const, time, core, ...more }));

const oneEvent: fc.Arbitrary<AppliedEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(time, core, mayPrice)
      .map(([time, core, more]) => ({ type: "upserted" as const, time, core, ...more })),
  },
  {
    weight: 4,
    arbitrary: patched,
  },
  { weight: 1, arbitrary: time.map((time) => ({ type: "deleted" as const, time })) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("price" as const), time, price }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("stock" as const), time, orderable: fc.boolean() }),
  },
);

/** Repeats some events with another time, as a shop does that exports all products each night. */
const onceOrTwice: fc.Arbitrary<readonly AppliedEvent[]> = fc
  .tuple(oneEvent, fc.option(time, { freq: 3 }))
  .map(([event, later]) => (later === null ? [event] : [event, { ...event, time: later }]));

const byTime = (events: readonly AppliedEvent[]): readonly AppliedEvent[] =>
  [...events].sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));

/**
 * Checks that the model can tell a repeated price from a change. The model stores the first and the last time of each
 * source's price. A repeated price may count as a change if a source sends it a third time, or if two prices, or a price
 * and a delete, have the same time.
 */
const canDetectRepeatedPrices = (events: readonly AppliedEvent[]): boolean => {
  const prices = events.flatMap((event) => ("price" in event ? [event] : []));
  const dated = events.filter((event) => "price" in event || event.type === "deleted");
  const times = new Set(dated.map(({ time }) => time));
  const copies = (one: (typeof prices)[number]) =>
    prices.filter(
      ({ type, price }) => price === one.price && (type === "price") === (one.type === "price"),
    );
  return times.size === dated.length && prices.every((one) => copies(one).length < 3);
};

/** Checks that no delete is stale: what a stale delete removes depends on the log order. */
const areDeletesNewest = (events: readonly AppliedEvent[]): boolean =>
  events.every(
    ({ type, time }, at) =>
      type !== "deleted" ||
      events.slice(0, at).every((earlier) => !isOfCore(earlier) || earlier.time <= time),
  );

const isOfCore = ({ type }: AppliedEvent): boolean => type !== "price" && type !== "stock";

/** Patches before the first event of a product, which wait for it. */
const waitingPatches = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly AppliedEvent[]>([]) },
  { weight: 1, arbitrary: fc.array(patched, { minLength: 2, maxLength: 4 }).map(byTime) },
);

/** Events of one product in log order, sorted by time or not. */
export const productHistory: fc.Arbitrary<readonly AppliedEvent[]> = fc
  .tuple(
    waitingPatches,
    fc.array(onceOrTwice, { minLength: 1, maxLength: 8, size: "max" }),
    fc.boolean(),
  )
  .map(([first, more, sortedByTime]) => {
    const events = [...first, ...more.flat()];
    return sortedByTime ? byTime(events) : events;
  })
  .filter((events) => canDetectRepeatedPrices(events) && areDeletesNewest(events));

/** Puts the id of a product into the addresses of its events. */
export const withProductId = (
  id: number,
  events: readonly AppliedEvent[],
): readonly AppliedEvent[] =>
  events.map((event) =>
    "core" in event && event.core.url !== undefined
      ? ({
          ...event,
          core: { ...event.core, url: event.core.url.replace("ID", `${id}`) },
        } as AppliedEvent)
      : event,
  );

/** Builds the CloudEvent of a short event. */
export const toCloudEvent = (id: number, event: AppliedEvent): CloudEvent => {
  const { time } = event;
  switch (event.type) {
    case "price": {
      const data = { productId: id, price: moneyOf(event.price) };
      return cloudEvent("shop.price.changed", `price/${id}`, data, { time });
    }
    case "stock": {
      const data = { productId: id, quantity: event.orderable ? 3 : 0 };
      return cloudEvent("shop.stock.changed", `stock/${id}`, data, { time });
    }
    case "deleted":
      return cloudEvent("shop.product.deleted", `product/${id}`, { id }, { time });
    default: {
      const price = event.price === undefined ? {} : { price: moneyOf(event.price) };
      const data = { id, ...event.core, ...price };
      return cloudEvent(`shop.product.${event.type}`, `product/${id}`, data, { time });
    }
  }
};

const moneyOf = (price: string | null) => {
  const [amount, currency] = price?.split(" ") ?? [];
  return price === null ? null : { amount, currency };
};
