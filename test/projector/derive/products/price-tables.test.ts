import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import type { Digest } from "../../../../src/read-model/store/store.ts";
import {
  categoryUpserted,
  priceChanged,
  productUpserted,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../../../helpers/events.ts";
import { openModel } from "../../../helpers/model.ts";

const test = suite("tables that hold prices");

/** A shop in which each product states its price in another way. @param digit first digit of each amount */
const shop = (digit: number): readonly CloudEvent[] => {
  const money = (rest: string) => ({ amount: `${digit}${rest}`, currency: "EUR" });
  const [price, listPrice] = [money("00.00"), money("90.00")];
  const sales = [{ price: money("0.00"), from: "2026-12-01T00:00:00Z" }];
  const variants = ["S", "M"].map((value, at) => ({
    ...{ id: at + 1, options: [{ name: "Size", value }] },
  }));
  return [
    settingsUpdated({ listPriceKind: "recommended", upcomingSales: "shown" }),
    categoryUpserted({ id: 1 }),
    productUpserted({ id: 1, categoryIds: [1], price }),
    productUpserted({ id: 2, categoryIds: [1], price, listPrice }),
    productUpserted({ id: 3, price, priorPrice: money("10.00"), sales }),
    productUpserted({ id: 4, price, variants }),
    productUpserted({
      id: 5,
      price,
      variants: variants.map((each) => ({ ...each, price, sales })),
    }),
    variantUpserted({ productId: 4, id: 3, price: listPrice }),
    priceChanged({ productId: 6, price }),
    productUpserted({ id: 6 }),
    ...[1, 2, 3, 4, 5, 6].map((productId) => stockChanged({ productId })),
  ];
};

const priceTables: readonly (keyof Digest)[] = [
  ...(["prices", "variantLists", "variantStates"] as const),
  ...(["offers", "variants", "docValues", "priceOrder"] as const),
];

test("are these seven: no row of another depends on an amount", async () => {
  const digests = [1, 2].map((digit) => {
    const model = openModel();
    model.apply(...shop(digit).map((event, at) => ({ ...event, id: `event ${at}` })));
    const digest = model.digest();
    closing.push(model.close());
    return digest;
  });
  const [one, other] = digests as [Digest, Digest];
  const names = Object.keys(one) as (keyof Digest)[];
  const changed = names.filter((name) => one[name] !== other[name]);
  assert.equal(changed.sort(), priceTables.toSorted());
  await Promise.all(closing);
});

const closing: Promise<void>[] = [];

test.run();
