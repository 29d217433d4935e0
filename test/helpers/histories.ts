import fc from "fast-check";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  carrierDeleted,
  carrierUpserted,
  categoryDeleted,
  categoryUpserted,
  pageDeleted,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
  tokenRegenerated,
  tokenRevoked,
} from "./events.ts";

/** Random lives of a small shop, so that ids, times and names meet often. */

interface Moment {
  readonly time: string;
  readonly sequence?: string;
}

const id = fc.integer({ min: 1, max: 4 });
const minute = fc.integer({ min: 0, max: 12 });

/** Product events happen at even seconds, price events at odd ones: which of two counts must never be a matter of the log. */
const momentAt = (second: number): fc.Arbitrary<Moment> =>
  fc
    .tuple(minute, fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }))
    .map(([at, sequence]) => ({
      time: new Date(Date.UTC(2026, 9, 1, 8, at, second)).toISOString(),
      ...(sequence === undefined ? {} : { sequence: String(sequence) }),
    }));

const currency = fc.constantFrom("EUR", "EUR", "USD");
const money = fc
  .tuple(fc.integer({ min: 1, max: 3 }), currency)
  .map(([units, currency]) => ({ amount: `${units}.00`, currency }));
const price = fc.option(money, { nil: null });
const categoryIds = fc.uniqueArray(id, { maxLength: 3 });
const name = fc.constantFrom("Red Shoe", "Blue shoe", "Ångström lamp", "Lamp", "Shoe rack 42");
const html = fc.constantFrom("<p>Soft and <b>red</b></p>", "<ul><li>one</li></ul>", null);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Leaves out what is undefined: an event says a thing or does not. */
const told = <T extends object>(data: T): { [K in keyof T]: NonNullable<T[K]> | T[K] } =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as T;

type Build = (id: number, moment: Moment) => CloudEvent;

const product: fc.Arbitrary<Build> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        name,
        price: maybe(price),
        categoryIds,
        descriptionHtml: html,
        active: fc.boolean(),
      })
      .map(
        (data): Build =>
          (id, moment) =>
            productUpserted(told({ ...data, id }) as never, moment),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        name: maybe(name),
        brand: maybe(fc.constantFrom("Acme", null)),
        categoryIds: maybe(categoryIds),
        active: maybe(fc.boolean()),
        price: maybe(price),
        descriptionHtml: maybe(html),
      })
      .map(
        (data): Build =>
          (id, moment) =>
            productPatched(told({ ...data, id }) as never, moment),
      ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, moment) => productDeleted(id, moment)) },
);
const prices: fc.Arbitrary<Build> = price.map(
  (told): Build =>
    (productId, moment) =>
      priceChanged({ productId, price: told }, moment),
);
const stock: fc.Arbitrary<Build> = fc
  .record({
    quantity: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    orderable: maybe(fc.boolean()),
  })
  .map(
    (data): Build =>
      (productId, moment) =>
        stockChanged(told({ ...data, productId }) as never, moment),
  );
const category: fc.Arbitrary<Build> = fc.oneof(
  {
    weight: 3,
    // The parent may be unknown or stand below. It is never the category itself: dead letters follow the log's order.
    arbitrary: fc.record({ name, parent: fc.option(id, { nil: null }), active: fc.boolean() }).map(
      ({ parent, ...data }): Build =>
        (id, moment) =>
          categoryUpserted({ ...data, id, parentId: parent === id ? null : parent }, moment),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, moment) => categoryDeleted(id, moment)) },
);
const page: fc.Arbitrary<Build> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ policy: fc.constantFrom("returns", null), published: fc.boolean() }).map(
      (data): Build =>
        (id, moment) =>
          pageUpserted({ ...data, id } as never, moment),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, moment) => pageDeleted(id, moment)) },
);
const carrier: fc.Arbitrary<Build> = fc.oneof(
  fc.boolean().map(
    (active): Build =>
      (id, moment) =>
        carrierUpserted({ id, active }, moment),
  ),
  fc.constant<Build>((id, moment) => carrierDeleted(id, moment)),
);
const single: fc.Arbitrary<Build> = fc.oneof(
  fc.record({ language: fc.constantFrom("en", "sv"), currency, pricesVisible: fc.boolean() }).map(
    (data): Build =>
      (_, moment) =>
        settingsUpdated(data, moment),
  ),
  fc.constantFrom("User-agent: *", "User-agent: x").map(
    (text): Build =>
      (_, moment) =>
        robotsUpdated(text, moment),
  ),
);
const agent: fc.Arbitrary<Build> = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 3 })).map(
  ([revoked, generation]): Build =>
    (id, moment) =>
      revoked
        ? tokenRevoked(`a${id}`, generation, moment)
        : tokenRegenerated(`a${id}`, generation, moment),
);

const event: fc.Arbitrary<CloudEvent> = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(product, id, momentAt(0)) },
    { weight: 3, arbitrary: fc.tuple(prices, id, momentAt(1)) },
    { weight: 4, arbitrary: fc.tuple(stock, id, momentAt(0)) },
    { weight: 3, arbitrary: fc.tuple(category, id, momentAt(0)) },
    { weight: 1, arbitrary: fc.tuple(page, id, momentAt(0)) },
    { weight: 1, arbitrary: fc.tuple(carrier, id, momentAt(0)) },
    { weight: 1, arbitrary: fc.tuple(single, id, momentAt(0)) },
    { weight: 1, arbitrary: fc.tuple(agent, id, momentAt(0)) },
  )
  .map(([build, id, moment]) => build(id, moment));

/** Events in the order the log took them. */
export const history: fc.Arbitrary<readonly CloudEvent[]> = fc.array(event, {
  minLength: 1,
  maxLength: 40,
});

/** The same events in another order that keeps the order of each subject, chosen by `picks`. */
export const interleave = (
  events: readonly CloudEvent[],
  picks: readonly number[],
): readonly CloudEvent[] => {
  const bySubject = new Map<string, CloudEvent[]>();
  for (const event of events) {
    const queue = bySubject.get(String(event.subject)) ?? [];
    bySubject.set(String(event.subject), [...queue, event]);
  }
  const queues = [...bySubject.values()];
  const order: CloudEvent[] = [];
  for (let turn = 0; order.length < events.length; turn += 1) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(picks[turn % picks.length] ?? 0) % waiting.length]?.shift();
    if (next) order.push(next);
  }
  return order;
};
