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
  variantDeleted,
  variantUpserted,
} from "./events.ts";
import {
  facts,
  goodsSettings,
  money,
  priceMembers,
  stockState,
  variantBody,
  variantId,
  variantList,
  withoutUndefined,
} from "./variant-histories.ts";

/** Random event histories of a small shop; ids, times and names often collide. */

interface Occurrence {
  readonly time: string;
  readonly sequence?: string;
}

const id = fc.integer({ min: 1, max: 4 });
const minute = fc.integer({ min: 0, max: 12 });

/**
 * Events of products, prices, variants and prices of variants happen at different seconds, so that which of them wins never
 * depends on the log order.
 */
const occurrenceAt = (second: number): fc.Arbitrary<Occurrence> =>
  fc
    .tuple(minute, fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }))
    .map(([at, sequence]) => ({
      time: new Date(Date.UTC(2026, 9, 1, 8, at, second)).toISOString(),
      ...(sequence === undefined ? {} : { sequence: String(sequence) }),
    }));

const currency = fc.constantFrom("EUR", "EUR", "USD");
const price = fc.option(money, { nil: null });
const categoryIds = fc.uniqueArray(id, { maxLength: 3 });
const name = fc.constantFrom("Red Shoe", "Blue shoe", "Ångström lamp", "Lamp", "Shoe rack 42");
const html = fc.constantFrom("<p>Soft and <b>red</b></p>", "<ul><li>one</li></ul>", null);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Prices and facts, which most products do not have. */
const goodsMembers = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.tuple(priceMembers, facts).map(([one, other]) => ({ ...one, ...other })),
  },
);

type Build = (id: number, occurrence: Occurrence) => CloudEvent;

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
        variants: maybe(variantList),
        goods: goodsMembers,
      })
      .map(
        ({ goods, ...data }): Build =>
          (id, occurrence) =>
            productUpserted(withoutUndefined({ ...data, ...goods, id }) as never, occurrence),
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
        variants: maybe(fc.option(variantList, { nil: null })),
        goods: goodsMembers,
      })
      .map(
        ({ goods, ...data }): Build =>
          (id, occurrence) =>
            productPatched(withoutUndefined({ ...data, ...goods, id }) as never, occurrence),
      ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, occurrence) => productDeleted(id, occurrence)) },
);
const prices: fc.Arbitrary<Build> = fc.tuple(price, priceMembers).map(
  ([price, members]): Build =>
    (productId, occurrence) =>
      priceChanged({ ...members, productId, price }, occurrence),
);
const variantPrices: fc.Arbitrary<Build> = fc.tuple(price, priceMembers, variantId).map(
  ([price, members, variantId]): Build =>
    (productId, occurrence) =>
      priceChanged({ ...members, productId, variantId, price }, occurrence),
);
const variants: fc.Arbitrary<Build> = fc.oneof(
  fc.tuple(variantId, variantBody).map(
    ([id, body]): Build =>
      (productId, occurrence) =>
        variantUpserted({ productId, id, ...body }, occurrence),
  ),
  variantId.map(
    (variant): Build =>
      (productId, occurrence) =>
        variantDeleted(productId, variant, occurrence),
  ),
);
const stock: fc.Arbitrary<Build> = fc
  .record({
    quantity: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    orderable: maybe(fc.boolean()),
    variantId: maybe(variantId),
    state: fc.oneof(fc.constant({}), stockState),
  })
  .map(
    ({ state, ...data }): Build =>
      (productId, occurrence) =>
        stockChanged(withoutUndefined({ ...data, ...state, productId }) as never, occurrence),
  );
const category: fc.Arbitrary<Build> = fc.oneof(
  {
    weight: 3,
    // The parent may be unknown or a descendant. It is never the category itself, because dead letters depend
    // on the log order.
    arbitrary: fc.record({ name, parent: fc.option(id, { nil: null }), active: fc.boolean() }).map(
      ({ parent, ...data }): Build =>
        (id, occurrence) =>
          categoryUpserted({ ...data, id, parentId: parent === id ? null : parent }, occurrence),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, occurrence) => categoryDeleted(id, occurrence)) },
);
const page: fc.Arbitrary<Build> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ policy: fc.constantFrom("returns", null), published: fc.boolean() }).map(
      (data): Build =>
        (id, occurrence) =>
          pageUpserted({ ...data, id } as never, occurrence),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Build>((id, occurrence) => pageDeleted(id, occurrence)) },
);
const carrier: fc.Arbitrary<Build> = fc.oneof(
  fc.boolean().map(
    (active): Build =>
      (id, occurrence) =>
        carrierUpserted({ id, active }, occurrence),
  ),
  fc.constant<Build>((id, occurrence) => carrierDeleted(id, occurrence)),
);
const single: fc.Arbitrary<Build> = fc.oneof(
  fc
    .record({
      language: fc.constantFrom("en", "sv"),
      currency,
      pricesVisible: fc.boolean(),
      goods: goodsSettings,
    })
    .map(
      ({ goods, ...data }): Build =>
        (_, occurrence) =>
          settingsUpdated({ ...data, ...goods }, occurrence),
    ),
  fc.constantFrom("User-agent: *", "User-agent: x").map(
    (text): Build =>
      (_, occurrence) =>
        robotsUpdated(text, occurrence),
  ),
);
const agent: fc.Arbitrary<Build> = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 3 })).map(
  ([revoked, generation]): Build =>
    (id, occurrence) =>
      revoked
        ? tokenRevoked(`a${id}`, generation, occurrence)
        : tokenRegenerated(`a${id}`, generation, occurrence),
);

const event: fc.Arbitrary<CloudEvent> = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(product, id, occurrenceAt(0)) },
    { weight: 3, arbitrary: fc.tuple(prices, id, occurrenceAt(1)) },
    { weight: 2, arbitrary: fc.tuple(variants, id, occurrenceAt(2)) },
    { weight: 2, arbitrary: fc.tuple(variantPrices, id, occurrenceAt(3)) },
    { weight: 4, arbitrary: fc.tuple(stock, id, occurrenceAt(0)) },
    { weight: 3, arbitrary: fc.tuple(category, id, occurrenceAt(0)) },
    { weight: 1, arbitrary: fc.tuple(page, id, occurrenceAt(0)) },
    { weight: 1, arbitrary: fc.tuple(carrier, id, occurrenceAt(0)) },
    { weight: 1, arbitrary: fc.tuple(single, id, occurrenceAt(0)) },
    { weight: 1, arbitrary: fc.tuple(agent, id, occurrenceAt(0)) },
  )
  .map(([build, id, occurrence]) => build(id, occurrence));

/** Events in log order. */
export const history: fc.Arbitrary<readonly CloudEvent[]> = fc.array(event, {
  minLength: 1,
  maxLength: 40,
});

/** Reorders events as `picks` chooses; the order of the events of each subject stays. */
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
  const merged: CloudEvent[] = [];
  for (let turn = 0; merged.length < events.length; turn += 1) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(picks[turn % picks.length] ?? 0) % waiting.length]?.shift();
    if (next) merged.push(next);
  }
  return merged;
};
