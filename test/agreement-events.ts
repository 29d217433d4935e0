/** Random lives of products, and their events as a shop would tell them. */
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

/** ID stands for the product's id: no two products share an address. */
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
 * A brand of its own: of patches that wait for their product only the newest telling of each member is kept, so whether
 * an older one was a change cannot be known.
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

/** Few enough that times meet. */
const time = fc
  .tuple(fc.nat({ max: 30 }), fc.constantFrom(0, 7))
  .map(([minute, ms]) => new Date(Date.UTC(2026, 9, 1, 8, minute, 0, ms)).toISOString());

const patched = fc
  .tuple(time, part, mayPrice)
  .map(([time, core, more]) => ({ type: "patched" as const, time, core, ...more }));

const told: fc.Arbitrary<AppliedEvent> = fc.oneof(
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

/** Some events are told twice with the same content, as by a shop that exports all of it each night. */
const again: fc.Arbitrary<readonly AppliedEvent[]> = fc
  .tuple(told, fc.option(time, { freq: 3 }))
  .map(([event, later]) => (later === null ? [event] : [event, { ...event, time: later }]));

const byTime = (events: readonly AppliedEvent[]): readonly AppliedEvent[] =>
  [...events].sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));

/**
 * Of a price that one entity tells, the model keeps the first and the last time. That is all there is to know while no
 * price is told a third time, nor two at one time, nor one as it is deleted: else a repeated one may count as a change.
 */
const arePricesPlain = (events: readonly AppliedEvent[]): boolean => {
  const statements = events.flatMap((event) => ("price" in event ? [event] : []));
  const dated = events.filter((event) => "price" in event || event.type === "deleted");
  const times = new Set(dated.map(({ time }) => time));
  const copies = (one: (typeof statements)[number]) =>
    statements.filter(
      ({ type, price }) => price === one.price && (type === "price") === (one.type === "price"),
    );
  return times.size === dated.length && statements.every((one) => copies(one).length < 3);
};

/** A delete that comes late is stale and takes nothing with it, so what it would have taken depends on the order. */
const doDeletesComeInTime = (events: readonly AppliedEvent[]): boolean =>
  events.every(
    ({ type, time }, at) =>
      type !== "deleted" ||
      events.slice(0, at).every((known) => !isOfCore(known) || known.time <= time),
  );

const isOfCore = ({ type }: AppliedEvent): boolean => type !== "price" && type !== "stock";

/** Of some products the first that is told are patches, which wait. */
const beginning = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly AppliedEvent[]>([]) },
  { weight: 1, arbitrary: fc.array(patched, { minLength: 2, maxLength: 4 }).map(byTime) },
);

/** The life of one product as the log has it: told in the order of its times, or in any. */
export const life: fc.Arbitrary<readonly AppliedEvent[]> = fc
  .tuple(beginning, fc.array(again, { minLength: 1, maxLength: 8, size: "max" }), fc.boolean())
  .map(([first, more, sortedByTime]) => {
    const events = [...first, ...more.flat()];
    return sortedByTime ? byTime(events) : events;
  })
  .filter((events) => arePricesPlain(events) && doDeletesComeInTime(events));

/** The same life with the addresses of product `id`. */
export const lifeOf = (id: number, events: readonly AppliedEvent[]): readonly AppliedEvent[] =>
  events.map((event) =>
    "core" in event && event.core.url !== undefined
      ? ({
          ...event,
          core: { ...event.core, url: event.core.url.replace("ID", `${id}`) },
        } as AppliedEvent)
      : event,
  );

/** An event in short as the shop would publish it. */
export const eventOf = (id: number, told: AppliedEvent): CloudEvent => {
  const { time } = told;
  switch (told.type) {
    case "price": {
      const data = { productId: id, price: moneyOf(told.price) };
      return cloudEvent("shop.price.changed", `price/${id}`, data, { time });
    }
    case "stock": {
      const data = { productId: id, quantity: told.orderable ? 3 : 0 };
      return cloudEvent("shop.stock.changed", `stock/${id}`, data, { time });
    }
    case "deleted":
      return cloudEvent("shop.product.deleted", `product/${id}`, { id }, { time });
    default: {
      const price = told.price === undefined ? {} : { price: moneyOf(told.price) };
      const data = { id, ...told.core, ...price };
      return cloudEvent(`shop.product.${told.type}`, `product/${id}`, data, { time });
    }
  }
};

const moneyOf = (price: string | null) => {
  const [amount, currency] = price?.split(" ") ?? [];
  return price === null ? null : { amount, currency };
};
