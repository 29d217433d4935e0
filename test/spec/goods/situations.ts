import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Money, SettingsData } from "../../../src/events/event.ts";
import type { VariantData } from "../../../src/events/product-facts.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";

/** What a product shows at an instant. A member that is left out is not compared. */
export interface Shown {
  /** Amounts; null for what is not shown. */
  readonly price?: string | null;
  readonly list?: string | null;
  readonly percent?: number | null;
  readonly endsAt?: string | null;
  readonly prior?: string | null;
  readonly range?: readonly [string, string] | null;
  readonly unit?: string | null;
  readonly availability?: "IN_STOCK" | "OUT_OF_STOCK";
  readonly status?: string;
  readonly quantity?: number | null;
  readonly date?: string | null;
  readonly lastmod?: string;
  readonly featured?: number | null;
  /** Price of a variant by its id; undefined for a variant that is not there. */
  readonly variants?: Readonly<Record<number, VariantShown | null>>;
}

export interface VariantShown {
  readonly price?: string | null;
  readonly list?: string | null;
  readonly availability?: "IN_STOCK" | "OUT_OF_STOCK";
}

/** A history, and what is shown of product 4711 at instants. */
export interface Situation {
  readonly title: string;
  readonly settings?: Partial<SettingsData>;
  readonly events: readonly CloudEvent[];
  readonly shown: readonly (readonly [instant: string, shown: Shown])[];
}

export const euros = (amount: string, currency = "EUR"): Money => ({ amount, currency });

export const settings = (data: Partial<SettingsData> = {}): CloudEvent =>
  settingsUpdated(
    {
      name: "Shop",
      currency: "EUR",
      timeZone: "Europe/Berlin",
      taxIncluded: true,
      listPriceKind: "former",
      ...data,
    },
    { time: "2026-01-01T00:00:00Z" },
  );

const id = 4711;
const at = (time: string) => ({ time });

/** P of the table: a product upsert. */
export const product = (data: Parameters<typeof productUpserted>[0], time: string): CloudEvent =>
  productUpserted({ id, name: "Jacket", ...data }, at(time));

/** PR of the table. */
export const price = (data: Parameters<typeof priceChanged>[0], time: string): CloudEvent =>
  priceChanged({ productId: id, ...data }, at(time));

/** ST of the table. */
export const stock = (data: Parameters<typeof stockChanged>[0], time: string): CloudEvent =>
  stockChanged({ productId: id, quantity: 0, ...data }, at(time));

export const variantList = (variants: readonly VariantData[], time: string): CloudEvent =>
  productPatched({ id, variants }, at(time));

const sale = (amount: string, from?: string, to?: string) => ({
  price: euros(amount),
  ...(from && { from }),
  ...(to && { to }),
});

const plain = "2026-09-01T00:00:00Z";
/** A product without variants that can be ordered, as D.1 has it. */
const orderable = [product({}, plain), stock({ quantity: 5 }, plain)];

const prices: readonly Situation[] = [
  {
    title: "1 the edges of a sale",
    events: [
      ...orderable,
      price(
        {
          price: euros("89.00"),
          sales: [sale("69.00", "2026-11-27T00:00:00+01:00", "2026-11-30T00:00:00+01:00")],
        },
        "2026-11-20T00:00:00Z",
      ),
    ],
    shown: [
      [
        "2026-11-26T22:59:59.999Z",
        { price: "89.00", list: null, lastmod: "2026-11-20T00:00:00.000Z" },
      ],
      [
        "2026-11-26T23:00:00Z",
        {
          ...{ price: "69.00", list: "89.00", percent: 22, endsAt: "2026-11-30T00:00:00+01:00" },
          lastmod: "2026-11-26T23:00:00.000Z",
        },
      ],
      ["2026-11-29T22:59:59.999Z", { price: "69.00" }],
      ["2026-11-29T23:00:00Z", { price: "89.00", list: null, lastmod: "2026-11-29T23:00:00.000Z" }],
    ],
  },
  {
    title: "2 a day of 25 hours",
    events: [
      ...orderable,
      price(
        {
          price: euros("50.00"),
          sales: [sale("40.00", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00")],
        },
        "2026-10-20T00:00:00Z",
      ),
    ],
    shown: [
      ["2026-10-24T22:00:00Z", { price: "40.00" }],
      ["2026-10-25T22:30:00Z", { price: "40.00" }],
      ["2026-10-25T23:00:00Z", { price: "50.00" }],
    ],
  },
  {
    title: "3a a sale without an end",
    events: [
      ...orderable,
      price(
        { price: euros("30.00"), sales: [sale("20.00", "2026-12-01T00:00:00Z")] },
        "2026-11-20T00:00:00Z",
      ),
    ],
    shown: [
      ["2026-11-30T23:59:59Z", { price: "30.00" }],
      ["2026-12-01T00:00:00Z", { price: "20.00", endsAt: null }],
      ["2030-01-01T00:00:00Z", { price: "20.00", endsAt: null }],
    ],
  },
  {
    title: "3b a sale without a beginning",
    events: [
      ...orderable,
      price(
        { price: euros("30.00"), sales: [sale("20.00", undefined, "2026-12-01T00:00:00Z")] },
        "2026-11-20T00:00:00Z",
      ),
    ],
    shown: [
      ["2026-11-20T00:00:00Z", { price: "20.00" }],
      ["2026-12-01T00:00:00Z", { price: "30.00" }],
    ],
  },
  {
    title: "3c a sale without both",
    events: [
      ...orderable,
      price({ price: euros("30.00"), sales: [sale("20.00")] }, "2026-11-20T00:00:00Z"),
    ],
    shown: [["2029-01-01T00:00:00Z", { price: "20.00" }]],
  },
  {
    title: "3d a sale that ends when it begins",
    events: [
      ...orderable,
      price(
        {
          price: euros("30.00"),
          sales: [sale("20.00", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z")],
        },
        "2026-11-20T00:00:00Z",
      ),
    ],
    shown: [["2026-12-01T00:00:00Z", { price: "30.00", list: null }]],
  },
  {
    title: "4 and 5 a new price during a sale, and a late event",
    events: [
      ...orderable,
      price(
        {
          price: euros("100.00"),
          sales: [sale("80.00", "2026-12-01T00:00:00Z", "2026-12-10T00:00:00Z")],
        },
        "2026-12-01T00:00:00Z",
      ),
    ],
    shown: [["2026-12-04T00:00:00Z", { price: "80.00", list: "100.00" }]],
  },
  {
    title: "4 a price without its sale ends the sale",
    events: [
      ...orderable,
      price(
        {
          price: euros("100.00"),
          sales: [sale("80.00", "2026-12-01T00:00:00Z", "2026-12-10T00:00:00Z")],
        },
        "2026-12-01T00:00:00Z",
      ),
      price({ price: euros("95.00") }, "2026-12-05T12:00:00Z"),
    ],
    shown: [["2026-12-05T13:00:00Z", { price: "95.00", list: null }]],
  },
  {
    title: "4 and 5 the sale is stated again, and a late event changes nothing",
    events: [
      ...orderable,
      price({ price: euros("95.00") }, "2026-12-05T12:00:00Z"),
      price(
        {
          price: euros("95.00"),
          sales: [sale("80.00", undefined, "2026-12-10T00:00:00Z")],
        },
        "2026-12-06T00:00:00Z",
      ),
      price({ price: euros("70.00") }, "2026-12-02T00:00:00Z"),
    ],
    shown: [["2026-12-06T00:00:00Z", { price: "80.00", list: "95.00", percent: 15 }]],
  },
  {
    title: "6 a list price",
    events: [...orderable, price({ price: euros("59.90"), listPrice: euros("79.90") }, plain)],
    shown: [["2026-11-01T00:00:00Z", { price: "59.90", list: "79.90", percent: 25, endsAt: null }]],
  },
  {
    title: "6 a list price that is the price",
    events: [...orderable, price({ price: euros("59.90"), listPrice: euros("59.90") }, plain)],
    shown: [["2026-11-01T00:00:00Z", { price: "59.90", list: null }]],
  },
  {
    title: "6 a list price in another currency",
    events: [
      ...orderable,
      price({ price: euros("59.90"), listPrice: euros("79.90", "USD") }, plain),
    ],
    shown: [["2026-11-01T00:00:00Z", { price: "59.90", list: null }]],
  },
  {
    title: "7 a list price and a sale",
    events: [
      ...orderable,
      price(
        {
          price: euros("100.00"),
          listPrice: euros("120.00"),
          sales: [sale("80.00", undefined, "2026-12-01T00:00:00Z")],
        },
        plain,
      ),
    ],
    shown: [
      ["2026-11-30T00:00:00Z", { price: "80.00", list: "100.00", percent: 20 }],
      ["2026-12-01T00:00:00Z", { price: "100.00", list: "120.00", percent: 16 }],
    ],
  },
  {
    title: "8 a sale above the price",
    events: [...orderable, price({ price: euros("20.00"), sales: [sale("25.00")] }, plain)],
    shown: [["2026-11-01T00:00:00Z", { price: "20.00", list: null, percent: null }]],
  },
  {
    title: "9 the prior price",
    events: [
      ...orderable,
      price({ price: euros("89.00"), priorPrice: euros("71.00"), sales: [sale("69.00")] }, plain),
    ],
    shown: [
      ["2026-11-01T00:00:00Z", { price: "69.00", list: "89.00", prior: "71.00", percent: 2 }],
    ],
  },
  {
    title: "10 the unit price",
    events: [
      product(
        {
          unitPricing: { measure: { value: "750", unit: "ml" }, base: { value: "1", unit: "l" } },
          price: euros("9.90"),
          sales: [sale("7.49", "2026-12-01T00:00:00Z")],
        },
        plain,
      ),
    ],
    shown: [
      ["2026-11-01T00:00:00Z", { price: "9.90", unit: "13.20" }],
      ["2026-12-01T00:00:00Z", { price: "7.49", unit: "9.99" }],
    ],
  },
  {
    title: "10 the unit price in a currency without decimals",
    settings: { currency: "JPY" },
    events: [
      product(
        {
          unitPricing: {
            measure: { value: "750", unit: "ml" },
            base: { value: "100", unit: "ml" },
          },
          price: euros("398", "JPY"),
        },
        plain,
      ),
    ],
    shown: [["2026-11-01T00:00:00Z", { unit: "53" }]],
  },
  {
    title: "11 hidden prices",
    settings: { pricesVisible: false },
    events: [
      ...orderable,
      price(
        {
          price: euros("89.00"),
          sales: [sale("69.00", "2026-11-27T00:00:00+01:00", "2026-11-30T00:00:00+01:00")],
        },
        "2026-11-20T00:00:00Z",
      ),
    ],
    shown: [
      [
        "2026-11-28T00:00:00Z",
        {
          ...{ price: null, list: null, endsAt: null, percent: null, range: null, unit: null },
          lastmod: "2026-11-20T00:00:00.000Z",
        },
      ],
    ],
  },
];

const color = (value: string) => ({ name: "Color", value });
const size = (value: string) => ({ name: "Size", value });

/** The jacket of D.2. */
const jacketVariants: readonly VariantData[] = [
  { id: 90001, options: [color("Red"), size("S")] },
  {
    id: 90002,
    options: [color("Red"), size("M")],
    price: euros("89.00"),
    sales: [sale("79.00", undefined, "2026-11-26T00:00:00+01:00")],
  },
  { id: 90003, options: [color("Blue"), size("S")], price: euros("84.00") },
];
export const jacket: readonly CloudEvent[] = [
  product(
    {
      price: euros("89.00"),
      options: [
        { name: "Color", code: "color", values: ["Red", "Blue"] },
        { name: "Size", code: "size", values: ["S", "M"] },
      ],
      variants: jacketVariants,
    },
    plain,
  ),
  stock({ variantId: 90001, quantity: 4 }, plain),
  stock({ variantId: 90002, quantity: 2 }, plain),
  stock({ variantId: 90003, quantity: 0 }, plain),
];

const sizes = (quantities: readonly [number, number, number]): readonly CloudEvent[] => [
  product(
    {
      variants: [
        { id: 1, options: [size("S")], price: euros("19.00") },
        { id: 2, options: [size("M")], price: euros("24.00") },
        { id: 3, options: [size("L")], price: euros("24.00") },
      ],
    },
    plain,
  ),
  ...quantities.map((quantity, at) => stock({ variantId: at + 1, quantity }, plain)),
];

const earlyAndBack: readonly CloudEvent[] = [
  price({ variantId: 90002, price: euros("75.00") }, "2026-10-01T09:00:00Z"),
  stock({ variantId: 90002, quantity: 3 }, "2026-10-01T09:01:00Z"),
  product(
    { price: euros("89.00"), variants: [{ id: 90001 }, { id: 90002 }] },
    "2026-10-01T09:05:00Z",
  ),
  variantList([{ id: 90001 }], "2026-10-01T09:10:00Z"),
  variantList([{ id: 90001 }, { id: 90002 }], "2026-10-01T09:20:00Z"),
];

const variants: readonly Situation[] = [
  {
    title: "12 and 13 a jacket with a sale on one variant",
    events: jacket,
    shown: [
      [
        "2026-11-25T20:00:00Z",
        {
          ...{ price: "79.00", list: "89.00", range: ["79.00", "89.00"], featured: 90002 },
          availability: "IN_STOCK",
          variants: {
            90003: { price: "84.00", availability: "OUT_OF_STOCK" },
            90001: { price: "89.00", list: null, availability: "IN_STOCK" },
          },
        },
      ],
      [
        "2026-11-25T23:00:00Z",
        {
          ...{ price: "89.00", list: null, range: ["89.00", "89.00"], featured: 90001 },
          lastmod: "2026-11-25T23:00:00.000Z",
        },
      ],
    ],
  },
  {
    title: "15 the cheapest variant is sold out",
    events: sizes([0, 1, 1]),
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "24.00", range: ["24.00", "24.00"], availability: "IN_STOCK" },
      ],
    ],
  },
  {
    title: "15 all variants are sold out",
    events: sizes([0, 0, 0]),
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "19.00", range: ["19.00", "24.00"], availability: "OUT_OF_STOCK" },
      ],
    ],
  },
  {
    title: "16 an inactive variant",
    events: [
      product(
        {
          variants: [
            { id: 1, options: [size("S")], price: euros("19.00") },
            { id: 9, options: [size("XS")], price: euros("9.00"), active: false },
          ],
        },
        plain,
      ),
      stock({ variantId: 1, quantity: 1 }, plain),
      stock({ variantId: 9, quantity: 5 }, plain),
    ],
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "19.00", range: ["19.00", "19.00"], variants: { 9: null } },
      ],
    ],
  },
  {
    title: "16 all variants are inactive",
    events: [
      product(
        { price: euros("50.00"), variants: [{ id: 1, price: euros("19.00"), active: false }] },
        plain,
      ),
      stock({ quantity: 5 }, plain),
    ],
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "50.00", range: null, availability: "OUT_OF_STOCK", variants: { 1: null } },
      ],
    ],
  },
  {
    title: "17 variants share the stock of the product",
    events: [
      product(
        {
          variants: [
            { id: 1, options: [size("S")] },
            { id: 2, options: [size("M")] },
          ],
        },
        plain,
      ),
      stock({ quantity: 7 }, plain),
    ],
    shown: [
      [
        "2026-11-01T00:00:00Z",
        {
          availability: "IN_STOCK",
          variants: { 1: { availability: "IN_STOCK" }, 2: { availability: "IN_STOCK" } },
        },
      ],
    ],
  },
  {
    title: "17 a variant has a stock of its own",
    events: [
      product(
        {
          variants: [
            { id: 1, options: [size("S")] },
            { id: 2, options: [size("M")] },
          ],
        },
        plain,
      ),
      stock({ quantity: 7 }, plain),
      stock({ variantId: 1, quantity: 0 }, "2026-09-02T00:00:00Z"),
    ],
    shown: [
      [
        "2026-11-01T00:00:00Z",
        {
          availability: "IN_STOCK",
          variants: { 1: { availability: "OUT_OF_STOCK" }, 2: { availability: "IN_STOCK" } },
        },
      ],
    ],
  },
  {
    title: "18 prices and stock that came before their variant",
    events: earlyAndBack.slice(0, 3),
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "75.00", range: ["75.00", "75.00"], variants: { 90002: { price: "75.00" } } },
      ],
    ],
  },
  {
    title: "18 a variant that left the list",
    events: earlyAndBack.slice(0, 4),
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "89.00", availability: "OUT_OF_STOCK", variants: { 90002: null } },
      ],
    ],
  },
  {
    title: "18 a variant that came back",
    events: earlyAndBack,
    shown: [["2026-11-01T00:00:00Z", { price: "75.00", range: ["75.00", "75.00"] }]],
  },
  {
    title: "18 the same in the opposite sequence",
    events: earlyAndBack.toReversed(),
    shown: [["2026-11-01T00:00:00Z", { price: "75.00", range: ["75.00", "75.00"] }]],
  },
  {
    title: "22 a variant in another currency",
    events: [
      product(
        {
          variants: [
            { id: 1, options: [size("S")], price: euros("10.00") },
            { id: 2, options: [size("M")], price: euros("9.00", "USD") },
          ],
        },
        plain,
      ),
      stock({ quantity: 1 }, plain),
    ],
    shown: [
      [
        "2026-11-01T00:00:00Z",
        { price: "10.00", range: ["10.00", "10.00"], variants: { 2: { price: "9.00" } } },
      ],
    ],
  },
];

const stocks: readonly Situation[] = [
  {
    title: "23 a preorder with a date",
    events: [
      product({}, plain),
      stock({ quantity: 0, availability: "preorder", availabilityDate: "2027-01-15" }, plain),
    ],
    shown: [
      [
        "2027-01-15T22:59:59Z",
        {
          availability: "IN_STOCK",
          status: "PREORDER",
          date: "2027-01-15",
          lastmod: "2026-09-01T00:00:00.000Z",
        },
      ],
      [
        "2027-01-15T23:00:00Z",
        { status: "PREORDER", date: null, lastmod: "2027-01-15T23:00:00.000Z" },
      ],
    ],
  },
  {
    title: "24 a backorder below zero",
    events: [product({}, plain), stock({ quantity: -3, availability: "backorder" }, plain)],
    shown: [
      ["2026-11-01T00:00:00Z", { availability: "IN_STOCK", status: "BACKORDER", quantity: null }],
    ],
  },
  {
    title: "24 a backorder that is not orderable",
    events: [
      product({}, plain),
      stock({ quantity: -3, availability: "backorder", orderable: false }, plain),
    ],
    shown: [["2026-11-01T00:00:00Z", { availability: "OUT_OF_STOCK", status: "OUT_OF_STOCK" }]],
  },
  {
    title: "25 limited stock without a number",
    events: [product({}, plain), stock({ quantity: 2, availability: "limited_stock" }, plain)],
    shown: [["2026-11-01T00:00:00Z", { status: "LIMITED_STOCK", quantity: null }]],
  },
  {
    title: "25 limited stock with its number",
    settings: { quantityVisible: "low" },
    events: [product({}, plain), stock({ quantity: 2, availability: "limited_stock" }, plain)],
    shown: [["2026-11-01T00:00:00Z", { status: "LIMITED_STOCK", quantity: 2 }]],
  },
  {
    title: "26 out of stock whatever the quantity",
    events: [product({}, plain), stock({ quantity: 5, availability: "out_of_stock" }, plain)],
    shown: [["2026-11-01T00:00:00Z", { availability: "OUT_OF_STOCK", status: "OUT_OF_STOCK" }]],
  },
  {
    title: "26 the last pieces",
    events: [product({}, plain), stock({ quantity: 4, availability: "discontinued" }, plain)],
    shown: [["2026-11-01T00:00:00Z", { availability: "IN_STOCK", status: "DISCONTINUED" }]],
  },
  {
    title: "26 discontinued and gone",
    events: [product({}, plain), stock({ quantity: 0, availability: "discontinued" }, plain)],
    shown: [["2026-11-01T00:00:00Z", { availability: "OUT_OF_STOCK", status: "DISCONTINUED" }]],
  },
];

/** The situations of prices, variants and stock, by their number. */
export const situations: readonly Situation[] = [...prices, ...variants, ...stocks];
