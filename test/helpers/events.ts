/** Builders of valid example events: pass only the members that the test is about. */
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import type {
  CarrierData,
  CategoryData,
  EventData,
  EventType,
  PageData,
  ProductData,
  ProductPatch,
  SettingsData,
} from "../../src/events/event.ts";

/** Attributes of the envelope that a test may set; `time` is RFC 3339. */
export interface Attributes {
  readonly id?: string;
  readonly source?: string;
  readonly time?: string;
  readonly sequence?: string | number;
}

const exampleTime = "2026-10-01T08:00:00Z";
let eventCount = 0;

/** Builds a CloudEvent of any type; `data` may be invalid on purpose. Each call gives a new id. */
export function cloudEvent(
  type: string,
  subject: string,
  data: unknown,
  { id, source = "/shops/test", time = exampleTime, sequence }: Attributes = {},
): CloudEvent {
  eventCount += 1;
  return {
    specversion: "1.0",
    id: id ?? `test-${eventCount}`,
    source,
    type,
    subject,
    time,
    ...(sequence === undefined ? {} : { sequence: String(sequence) }),
    datacontenttype: "application/json",
    data,
  };
}

const of = <T extends EventType>(type: T, subject: string, data: EventData[T], more?: Attributes) =>
  cloudEvent(type, subject, data, more);

export const settingsUpdated = (data: Partial<SettingsData> = {}, more?: Attributes): CloudEvent =>
  of(
    "shop.settings.updated",
    "settings",
    {
      name: "Example Shop",
      url: "https://shop.example",
      language: "en",
      currency: "EUR",
      ...data,
    },
    more,
  );

export function productUpserted(data: Partial<ProductData> = {}, more?: Attributes): CloudEvent {
  const id = data.id ?? 1;
  return of(
    "shop.product.upserted",
    `product/${id}`,
    {
      id,
      name: `Product ${id}`,
      descriptionHtml: `<p>What product ${id} is.</p>`,
      url: `https://shop.example/products/${id}`,
      reference: `SKU-${id}`,
      price: { amount: "12.90", currency: "EUR" },
      ...data,
    },
    more,
  );
}

export function productPatched(data: Partial<ProductPatch> = {}, more?: Attributes): CloudEvent {
  const id = data.id ?? 1;
  return of("shop.product.patched", `product/${id}`, { ...data, id }, more);
}

export const productDeleted = (id = 1, more?: Attributes): CloudEvent =>
  of("shop.product.deleted", `product/${id}`, { id }, more);

export function priceChanged(
  data: Partial<EventData["shop.price.changed"]> = {},
  more?: Attributes,
): CloudEvent {
  const price = { productId: 1, price: { amount: "9.90", currency: "EUR" }, ...data };
  return of("shop.price.changed", `price/${idsOf(price)}`, price, more);
}

export function stockChanged(
  data: Partial<EventData["shop.stock.changed"]> = {},
  more?: Attributes,
): CloudEvent {
  const stock = { productId: 1, quantity: 5, ...data };
  return of("shop.stock.changed", `stock/${idsOf(stock)}`, stock, more);
}

const idsOf = ({ productId, variantId }: { productId: number; variantId?: number }): string =>
  variantId === undefined ? `${productId}` : `${productId}/${variantId}`;

export function variantUpserted(
  data: Partial<EventData["shop.variant.upserted"]> = {},
  more?: Attributes,
): CloudEvent {
  const variant = { productId: 1, id: 11, ...data };
  const subject = `variant/${variant.productId}/${variant.id}`;
  return of("shop.variant.upserted", subject, variant, more);
}

export const variantDeleted = (productId = 1, id = 11, more?: Attributes): CloudEvent =>
  of("shop.variant.deleted", `variant/${productId}/${id}`, { productId, id }, more);

export function categoryUpserted(data: Partial<CategoryData> = {}, more?: Attributes): CloudEvent {
  const id = data.id ?? 1;
  const url = `https://shop.example/categories/${id}`;
  return of(
    "shop.category.upserted",
    `category/${id}`,
    { id, name: `Category ${id}`, url, parentId: null, ...data },
    more,
  );
}

export const categoryDeleted = (id = 1, more?: Attributes): CloudEvent =>
  of("shop.category.deleted", `category/${id}`, { id }, more);

export function pageUpserted(data: Partial<PageData> = {}, more?: Attributes): CloudEvent {
  const id = data.id ?? 1;
  return of(
    "shop.page.upserted",
    `page/${id}`,
    {
      id,
      title: `Page ${id}`,
      url: `https://shop.example/pages/${id}`,
      contentHtml: `<h1>Page ${id}</h1><p>What page ${id} says.</p>`,
      ...data,
    },
    more,
  );
}

export const pageDeleted = (id = 1, more?: Attributes): CloudEvent =>
  of("shop.page.deleted", `page/${id}`, { id }, more);

export function carrierUpserted(data: Partial<CarrierData> = {}, more?: Attributes): CloudEvent {
  const id = data.id ?? 1;
  return of(
    "shop.carrier.upserted",
    `carrier/${id}`,
    {
      id,
      name: `Carrier ${id}`,
      countries: ["DE", "AT"],
      price: { min: "4.90", max: "9.90", currency: "EUR" },
      deliveryDays: { min: 1, max: 3 },
      ...data,
    },
    more,
  );
}

export const carrierDeleted = (id = 1, more?: Attributes): CloudEvent =>
  of("shop.carrier.deleted", `carrier/${id}`, { id }, more);

export const robotsUpdated = (
  text = "User-agent: *\nDisallow: /cart\n",
  more?: Attributes,
): CloudEvent => of("shop.robots.updated", "robots", { text }, more);

export const tokenRegenerated = (
  label = "my agent",
  generation = 2,
  more?: Attributes,
): CloudEvent => of("agent.token.regenerated", `agent/${label}`, { label, generation }, more);

export const tokenRevoked = (label = "my agent", generation = 2, more?: Attributes): CloudEvent =>
  of("agent.token.revoked", `agent/${label}`, { label, generation }, more);

/** One valid event of every type. */
export const oneOfEach = (): readonly CloudEvent[] => [
  settingsUpdated(),
  productUpserted(),
  productPatched({ name: "Renamed" }),
  productDeleted(),
  variantUpserted(),
  variantDeleted(),
  priceChanged(),
  stockChanged(),
  categoryUpserted(),
  categoryDeleted(),
  pageUpserted(),
  pageDeleted(),
  carrierUpserted(),
  carrierDeleted(),
  robotsUpdated(),
  tokenRegenerated(),
  tokenRevoked(),
];

/** A message as an event log delivers it; assignable to the port's `LogRecord`. */
export interface ExampleRecord {
  readonly sequence: number;
  readonly time: number;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Wraps an event, valid or not, in a record of the log.
 * @param logTime clock of the log, in ms since 1970; by default the time of the event
 */
export function recordOf(event: CloudEvent, sequence = 1, logTime?: number): ExampleRecord {
  const json = new TextEncoder().encode(JSON.stringify(event));
  // An invalid event may have any value here, even one that cannot be converted to a string.
  const about = typeof event.subject === "string" ? event.subject : "";
  const { subject, headers, body } = toMessage({ source: "", id: "", subject: about }, json);
  return { sequence, time: logTime ?? Date.parse(event.time), subject, headers, body };
}
