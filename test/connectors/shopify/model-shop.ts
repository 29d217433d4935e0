import fc from "fast-check";

/** A shop as Shopify keeps it, and the webhooks that it sends for each change. */

export interface ModelVariant {
  readonly id: number;
  readonly item: number;
  readonly size: string;
  price: number;
  before: number | null;
  isSoldAtZero: boolean;
  isTracked: boolean;
  /** Quantity by location, 1 and 2. */
  readonly stock: [number, number];
}

export interface ModelProduct {
  readonly id: number;
  title: string;
  isActive: boolean;
  variants: ModelVariant[];
}

export interface Webhook {
  readonly topic: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a later whole body mends its loss. */
  readonly isMended: boolean;
}

export type Change =
  | { readonly kind: "title"; readonly product: number; readonly title: string }
  | { readonly kind: "visibility"; readonly product: number; readonly isActive: boolean }
  | {
      readonly kind: "price";
      readonly product: number;
      readonly variant: number;
      readonly price: number;
      readonly before: number | null;
    }
  | {
      readonly kind: "policy";
      readonly product: number;
      readonly variant: number;
      readonly isSoldAtZero: boolean;
    }
  | {
      readonly kind: "level";
      readonly product: number;
      readonly variant: number;
      readonly location: 0 | 1;
      readonly quantity: number;
      readonly isRestated: boolean;
    }
  | {
      readonly kind: "tracked";
      readonly product: number;
      readonly variant: number;
      readonly isTracked: boolean;
    }
  | { readonly kind: "variants"; readonly product: number; readonly count: number }
  | { readonly kind: "restatement"; readonly product: number }
  | { readonly kind: "deletion"; readonly product: number };

const index = fc.integer({ min: 0, max: 2 });
const cents = fc.integer({ min: 0, max: 3 }).map((units) => units * 500);
const target = { product: index, variant: index };

export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant("title" as const),
    product: index,
    title: fc.constantFrom("Tee", "Top"),
  }),
  fc.record({ kind: fc.constant("visibility" as const), product: index, isActive: fc.boolean() }),
  fc.record({
    kind: fc.constant("price" as const),
    ...target,
    price: cents,
    before: fc.option(cents),
  }),
  fc.record({ kind: fc.constant("policy" as const), ...target, isSoldAtZero: fc.boolean() }),
  fc.record({
    kind: fc.constant("level" as const),
    ...target,
    location: fc.constantFrom(0 as const, 1 as const),
    quantity: fc.integer({ min: -2, max: 4 }),
    isRestated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("tracked" as const), ...target, isTracked: fc.boolean() }),
  fc.record({
    kind: fc.constant("variants" as const),
    product: index,
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant("restatement" as const), product: index }),
  fc.record({ kind: fc.constant("deletion" as const), product: index }),
);

export interface ModelShop {
  readonly products: ReadonlyMap<number, ModelProduct>;
  readonly webhooks: readonly Webhook[];
  apply(change: Change): void;
  /** Sends the whole body of every product again. */
  restateAll(): void;
}

/** @param firstId product ids are `firstId` to `firstId + 2` */
export const openModelShop = (firstId: number): ModelShop => {
  const products = new Map<number, ModelProduct>();
  const webhooks: Webhook[] = [];
  let seconds = 0;
  const now = (): string => new Date(Date.UTC(2026, 8, 1) + seconds * 1000).toISOString();
  /** Shopify writes the offset of the shop. */
  const local = (): string =>
    new Date(Date.UTC(2026, 8, 1, 2) + seconds * 1000).toISOString().replace(".000Z", "+02:00");

  const send = (topic: string, body: object, isMended = true): void => {
    const headers = { "x-shopify-triggered-at": now(), "x-shopify-topic": topic };
    webhooks.push({ topic, body, headers, isMended });
  };

  const sendProduct = (product: ModelProduct, topic = "products/update"): void =>
    send(topic, toBody(product, local()));

  const sendLevel = ({ item, stock, isTracked }: ModelVariant, location: 0 | 1): void =>
    send("inventory_levels/update", {
      inventory_item_id: item,
      location_id: location + 1,
      available: isTracked ? stock[location] : null,
      updated_at: local(),
    });

  const sendItem = ({ item, isTracked }: ModelVariant): void =>
    send("inventory_items/update", { id: item, tracked: isTracked, updated_at: local() }, false);

  const addVariant = (product: ModelProduct): void => {
    const id = product.id * 10_000 + seconds * 10 + product.variants.length;
    const sizes = ["S", "M", "L"].filter((size) =>
      product.variants.every((each) => each.size !== size),
    );
    const variant: ModelVariant = {
      ...{ id, item: id + 5_000_000_000, size: sizes[0] ?? "XL" },
      ...{ price: 1000, before: null, isSoldAtZero: false, isTracked: true, stock: [1, 0] },
    };
    product.variants.push(variant);
    for (const location of [0, 1] as const) sendLevel(variant, location);
    sendItem(variant);
  };

  const create = (id: number): ModelProduct => {
    const product: ModelProduct = { id, title: "New", isActive: true, variants: [] };
    products.set(id, product);
    addVariant(product);
    sendProduct(product, "products/create");
    return product;
  };

  const changeVariant = (
    product: ModelProduct,
    { variant: at, ...change }: Extract<Change, { variant: number }>,
  ): void => {
    const variant = product.variants[at % product.variants.length];
    if (!variant) return;
    switch (change.kind) {
      case "price":
        variant.price = change.price;
        variant.before = change.before;
        sendProduct(product);
        break;
      case "policy":
        variant.isSoldAtZero = change.isSoldAtZero;
        sendProduct(product);
        break;
      case "tracked":
        variant.isTracked = change.isTracked;
        sendItem(variant);
        for (const location of [0, 1] as const) sendLevel(variant, location);
        return;
      case "level":
        variant.stock[change.location] = change.quantity;
        sendLevel(variant, change.location);
        if (change.isRestated) sendProduct(product);
        return;
    }
  };

  const changeProduct = (
    product: ModelProduct,
    change: Exclude<Change, { variant: number }>,
  ): void => {
    switch (change.kind) {
      case "title":
        product.title = change.title;
        sendProduct(product);
        break;
      case "visibility":
        product.isActive = change.isActive;
        sendProduct(product);
        break;
      case "variants":
        product.variants = product.variants.slice(0, change.count);
        while (product.variants.length < change.count) addVariant(product);
        sendProduct(product);
        break;
      case "restatement":
        sendProduct(product);
        break;
      case "deletion":
        // Shopify gives no id a second time.
        product.variants = [];
        product.isActive = false;
        send("products/delete", { id: product.id }, false);
        break;
    }
  };

  return {
    products,
    webhooks,
    apply(change) {
      seconds += 1;
      const id = firstId + change.product;
      const product = products.get(id) ?? (change.kind === "deletion" ? undefined : create(id));
      if (!product || product.variants.length === 0) return;
      seconds += 1;
      if ("variant" in change) changeVariant(product, change);
      else changeProduct(product, change);
    },
    restateAll() {
      seconds += 1;
      for (const product of products.values()) {
        if (product.variants.length > 0) sendProduct(product);
      }
    },
  };
};

const decimal = (units: number): string => (units / 100).toFixed(2);

const toBody = ({ id, title, isActive, variants }: ModelProduct, updatedAt: string): object => ({
  ...{
    id,
    title,
    handle: `product-${id}`,
    body_html: null,
    vendor: "",
    product_type: "",
    tags: "",
  },
  status: isActive ? "active" : "draft",
  ...{ published_at: "2026-08-01T00:00:00+02:00", updated_at: updatedAt, images: [] },
  options: [{ name: "Size", position: 1, values: variants.map(({ size }) => size) }],
  variants: variants.map((variant, at) => ({
    ...{ id: variant.id, position: at + 1, option1: variant.size, sku: "SAME", image_id: null },
    price: decimal(variant.price),
    compare_at_price: variant.before === null ? null : decimal(variant.before),
    inventory_item_id: variant.item,
    inventory_quantity: variant.stock[0] + variant.stock[1],
    inventory_policy: variant.isSoldAtZero ? "continue" : "deny",
  })),
});
