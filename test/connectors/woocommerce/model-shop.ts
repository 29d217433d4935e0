import fc from "fast-check";

/** A shop as WooCommerce keeps it, and the webhooks that it sends for each change. */

/** The instant at which the catalogue is read. */
export const readAt = Date.UTC(2026, 10, 1);

export interface ModelPrice {
  /** Cents; null where the shop does not sell. */
  readonly regular: number | null;
  readonly sale: number | null;
  readonly window: SaleWindow;
}

export type SaleWindow = "always" | "last second" | "ended" | "first second" | "coming";

/** Edges of a window in seconds from `readAt`; the end is the last second that is in it. */
const edges: Readonly<Record<SaleWindow, readonly [from: number | null, last: number | null]>> = {
  always: [null, null],
  "last second": [-60, 0],
  ended: [null, -1],
  "first second": [0, 60],
  coming: [1, null],
};

export const isInForce = (window: SaleWindow): boolean => window !== "ended" && window !== "coming";

export interface ModelStock {
  readonly isManaged: boolean;
  readonly quantity: number;
  readonly status: "instock" | "outofstock" | "onbackorder";
  readonly isSoldAtZero: boolean;
}

export interface ModelVariation {
  readonly id: number;
  readonly size: string;
  isPublished: boolean;
  price: ModelPrice;
  stock: ModelStock;
}

export interface ModelProduct {
  readonly id: number;
  name: string;
  optionName: string;
  status: "publish" | "draft";
  visibility: "visible" | "hidden";
  price: ModelPrice;
  stock: ModelStock;
  isDeleted: boolean;
  variations: ModelVariation[];
}

export interface Webhook {
  readonly topic: string;
  readonly body: object;
  readonly arrivedAt: string;
  readonly productId: number;
  /** Whether a later body mends its loss. */
  readonly isMended: boolean;
}

const index = fc.integer({ min: 0, max: 2 });
const cents = fc.integer({ min: 1, max: 4 }).map((units) => units * 500);
const kind = <K extends string>(name: K) => fc.constant(name);
const target = { product: index, variation: index };

export const price: fc.Arbitrary<ModelPrice> = fc.record({
  regular: fc.option(cents, { freq: 6 }),
  sale: fc.option(cents, { freq: 2 }),
  window: fc.constantFrom(
    ...(["always", "last second", "ended", "first second", "coming"] as const),
  ),
});

const stock: fc.Arbitrary<ModelStock> = fc.record({
  isManaged: fc.boolean(),
  quantity: fc.integer({ min: -2, max: 4 }),
  status: fc.constantFrom(...(["instock", "outofstock", "onbackorder"] as const)),
  isSoldAtZero: fc.boolean(),
});

export const change = fc.oneof(
  fc.record({
    kind: kind("text"),
    product: index,
    name: fc.constantFrom("Tee", "Top"),
    optionName: fc.constantFrom("Size", "Fit"),
  }),
  fc.record({
    kind: kind("visibility"),
    product: index,
    status: fc.constantFrom("publish" as const, "publish" as const, "draft" as const),
    visibility: fc.constantFrom("visible" as const, "visible" as const, "hidden" as const),
  }),
  fc.record({ kind: kind("price"), product: index, price }),
  fc.record({ kind: kind("stock"), product: index, stock }),
  fc.record({ kind: kind("variation price"), ...target, price, isPublished: fc.boolean() }),
  fc.record({ kind: kind("variation stock"), ...target, stock }),
  fc.record({ kind: kind("variations"), product: index, count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: kind("restatement"), product: index }),
  fc.record({ kind: kind("deletion"), product: index, isSentForAll: fc.boolean() }),
  fc.record({ kind: kind("restoration"), product: index, isSentForAll: fc.boolean() }),
);

export type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

export interface ModelShop {
  readonly products: ReadonlyMap<number, ModelProduct>;
  readonly webhooks: readonly Webhook[];
  apply(change: Change): void;
  /** Sends the body of every product and variation again. */
  restateAll(): void;
}

const secondsPerChange = 10;
const inStock = { isManaged: true, quantity: 1, status: "instock", isSoldAtZero: false } as const;
const plainPrice = { regular: 1000, sale: null, window: "always" } as const;

/** @param firstId product ids are `firstId` to `firstId + 2` */
export const openModelShop = (firstId: number): ModelShop => {
  const products = new Map<number, ModelProduct>();
  const webhooks: Webhook[] = [];
  let seconds = 0;
  const now = (offset = 0): string => formatTime(Date.UTC(2026, 8, 1), seconds + offset);

  const send = (productId: number, topic: string, body: object, isMended = true): void => {
    const arrivedAt = `${now(1)}.000Z`;
    webhooks.push({ topic, body, arrivedAt, productId, isMended });
  };
  const sendProduct = (product: ModelProduct, topic = "product.updated"): void =>
    send(product.id, topic, toProductBody(product, now()));
  const sendVariation = (
    product: ModelProduct,
    variation: ModelVariation,
    topic = "product.updated",
  ): void => send(product.id, topic, toVariationBody(product, variation, now()));
  const sendAll = (product: ModelProduct, topic?: string): void => {
    sendProduct(product, topic);
    for (const variation of product.variations) sendVariation(product, variation, topic);
  };

  const addVariation = (product: ModelProduct): void => {
    const id = product.id * 100_000 + seconds + product.variations.length;
    const isFree = (size: string) => product.variations.every((each) => each.size !== size);
    const size = ["S", "M", "L"].find(isFree) ?? "XL";
    const variation: ModelVariation = {
      ...{ id, size, isPublished: true, price: plainPrice, stock: inStock },
    };
    product.variations.push(variation);
    sendVariation(product, variation, "product.created");
  };

  const create = (id: number): ModelProduct => {
    const product: ModelProduct = {
      ...{ id, name: "New", optionName: "Size", status: "publish", visibility: "visible" },
      ...{ price: plainPrice, stock: inStock, isDeleted: false, variations: [] },
    };
    products.set(id, product);
    sendProduct(product, "product.created");
    return product;
  };

  const changeVariation = (
    product: ModelProduct,
    change: Extract<Change, { variation: number }>,
  ): void => {
    const variation = product.variations[change.variation % product.variations.length];
    if (!variation) return;
    if (change.kind === "variation stock") variation.stock = change.stock;
    else {
      variation.price = change.price;
      variation.isPublished = change.isPublished;
    }
    sendVariation(product, variation);
  };

  const changeVariations = (product: ModelProduct, count: number): void => {
    product.variations = product.variations.slice(-count || 3);
    if (count === 0) product.variations = [];
    while (product.variations.length < count) addVariation(product);
    sendProduct(product);
  };

  const remove = (product: ModelProduct, isSentForAll: boolean): void => {
    product.isDeleted = true;
    const ids = isSentForAll ? product.variations.map(({ id }) => id) : [];
    for (const id of [product.id, ...ids]) send(product.id, "product.deleted", { id }, false);
  };

  const restore = (product: ModelProduct, isSentForAll: boolean): void => {
    product.isDeleted = false;
    if (isSentForAll) sendAll(product, "product.restored");
    else sendProduct(product, "product.restored");
  };

  const changeProduct = (
    product: ModelProduct,
    change: Exclude<Change, { variation: number } | { kind: "restoration" }>,
  ): void => {
    switch (change.kind) {
      case "text":
        product.name = change.name;
        product.optionName = change.optionName;
        sendProduct(product);
        break;
      case "visibility":
        product.status = change.status;
        product.visibility = change.visibility;
        sendProduct(product);
        break;
      case "price":
        product.price = change.price;
        sendProduct(product);
        break;
      case "stock": {
        // The bodies of variations say whether they share the stock of their parent.
        const send = change.stock.isManaged === product.stock.isManaged ? sendProduct : sendAll;
        product.stock = change.stock;
        send(product);
        break;
      }
      case "variations":
        changeVariations(product, change.count);
        break;
      case "restatement":
        sendProduct(product);
        break;
      case "deletion":
        remove(product, change.isSentForAll);
        break;
    }
  };

  return {
    products,
    webhooks,
    apply(change) {
      seconds += secondsPerChange;
      const id = firstId + change.product;
      const product = products.get(id) ?? create(id);
      seconds += secondsPerChange;
      if (change.kind === "restoration") {
        if (product.isDeleted) restore(product, change.isSentForAll);
      } else if (product.isDeleted) return;
      else if ("variation" in change) changeVariation(product, change);
      else changeProduct(product, change);
    },
    restateAll() {
      seconds += secondsPerChange;
      for (const product of products.values()) if (!product.isDeleted) sendAll(product);
    },
  };
};

const formatTime = (start: number, seconds: number): string =>
  new Date(start + seconds * 1000).toISOString().replace(".000Z", "");

const decimal = (units: number | null): string => (units === null ? "" : (units / 100).toFixed(2));

/** `price` is that of the sale also before and after it, as until the next run of the shop's clock. */
const toPriceMembers = ({ regular, sale, window }: ModelPrice): object => {
  const [from, last] = edges[window].map((edge) => edge && formatTime(readAt, edge));
  return {
    ...{ regular_price: decimal(regular), sale_price: regular === null ? "" : decimal(sale) },
    price: decimal(regular && (sale ?? regular)),
    date_on_sale_from_gmt: edges[window][0] === 0 ? formatTime(readAt, 0) : from,
    date_on_sale_to_gmt: edges[window][1] === 0 ? formatTime(readAt, 0) : last,
  };
};

const toStockMembers = ({ isManaged, quantity, status, isSoldAtZero }: ModelStock): object => ({
  ...{ manage_stock: isManaged, stock_quantity: isManaged ? quantity : null },
  stock_status: isManaged && status === "onbackorder" ? "instock" : status,
  backorders: isSoldAtZero ? "notify" : "no",
});

const toProductBody = (product: ModelProduct, modified: string): object => ({
  ...{ id: product.id, name: product.name, date_modified_gmt: modified },
  ...{ status: product.status, catalog_visibility: product.visibility },
  permalink: `https://shop.example/product/${product.id}/`,
  type: product.variations.length > 0 ? "variable" : "simple",
  ...{ sku: "", categories: [], images: [], tags: [] },
  ...toPriceMembers(product.price),
  ...toStockMembers(product.stock),
  attributes: [
    {
      ...{ id: 0, name: "Colour", position: 1, visible: true, variation: false },
      options: ["Blue"],
    },
    {
      ...{ id: 6, name: product.optionName, position: 0, visible: true, variation: true },
      options: product.variations.map(({ size }) => size),
    },
  ],
  variations: product.variations.map(({ id }) => id),
});

const toVariationBody = (
  product: ModelProduct,
  { id, size, isPublished, price, stock }: ModelVariation,
  modified: string,
): object => ({
  ...{ id, parent_id: product.id, type: "variation", date_modified_gmt: modified, sku: "" },
  ...{ name: `${product.name} - ${size}`, status: isPublished ? "publish" : "private" },
  permalink: `https://shop.example/product/${product.id}/?attribute_pa_size=${size}`,
  ...toPriceMembers(price),
  ...(!stock.isManaged && product.stock.isManaged
    ? { ...toStockMembers(product.stock), manage_stock: "parent" }
    : toStockMembers(stock)),
  ...{ images: [], attributes: [{ id: 6, name: product.optionName, option: size }] },
});
