import type {
  CarrierData,
  Image,
  Money,
  Named,
  PolicyTopic,
  ProductPatch,
} from "../../events/event.ts";
import type { EventTime } from "../../events/time.ts";
import type { ShopDocument } from "./documents.ts";

/**
 * When an entity began, or ceased, to be listed at each place: pairs of the place's id and milliseconds since 1970, by id.
 */
export type Moves = readonly (readonly [place: number, time: number])[];

/** What is kept so that the next event can be folded: each field group with the event that wrote it. */

/**
 * The event that wrote a field group; later ones are compared with it. It holds nothing of the log: the same
 * events make the same model, whichever log they stand in.
 */
export interface Stamp extends EventTime {
  readonly id: string;
  /** The shop's own version of the entity. */
  readonly sequence?: string;
}

/** One field group: its content (`null` is a tombstone), who wrote it, and when the content last differed. */
export interface Group<C> {
  readonly stamp: Stamp;
  /** Milliseconds since 1970: time of the newest event that changed the content. */
  readonly changedAt: number;
  readonly content: C | null;
}

export interface ProductCore {
  readonly name: string;
  readonly url: string;
  readonly reference: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly Named[];
  readonly images: readonly Image[];
  readonly active: boolean;
  /** Fingerprint of the description's HTML, which is rendered once and then forgotten; null without one. */
  readonly html: string | null;
}

/** What a patch told of the core of a product that it came before, and no later one told anew. */
export interface PendingPatch {
  readonly stamp: Stamp;
  readonly patch: Omit<ProductPatch, "id" | "price">;
}

export interface CoreRow {
  readonly group: Group<ProductCore> | null;
  /** In the order of the log, which is that of their stamps; null when none wait. */
  readonly pending: readonly PendingPatch[] | null;
  /** When the shop and each category began or ceased to list the product. */
  readonly moves: Moves;
}

/** Prices as two entities tell them. Each has its own versions, so the two meet by time only. */
export interface PriceRow {
  /** From `shop.product.*`. */
  readonly product: PriceGroup | null;
  /** From `shop.price.changed`. */
  readonly price: PriceGroup | null;
  /** Who told the price last in the log, where both told one of the same time; null otherwise. */
  readonly tie: "product" | "price" | null;
}

/** A price of null is a price that was cleared, not a tombstone. */
export interface PriceGroup extends Group<{ readonly money: Money | null }> {
  /** When this entity last told another price than now, in milliseconds since 1970; null if it never did. */
  readonly toldOther: number | null;
}

export type StockRow = Group<{ readonly orderable: boolean }>;

/** A product description, rendered. */
export interface TextRow {
  readonly description: string | null;
  readonly markdown: string | null;
}

export interface CategoryContent {
  readonly name: string;
  readonly url: string;
  readonly parentId: number | null;
  readonly active: boolean;
  /** Fingerprint of the description's HTML; null without one. */
  readonly html: string | null;
  readonly description: string | null;
  readonly markdown: string | null;
}

export interface PageContent {
  readonly title: string;
  readonly url: string;
  readonly policy: PolicyTopic | null;
  readonly published: boolean;
  /** Fingerprint of the content's HTML. */
  readonly html: string;
  readonly summary: string | null;
  readonly markdown: string;
}

export interface CategoryRow extends Group<CategoryContent> {
  /** When what other pages say of the category last changed, in milliseconds since 1970: name, address, parent, or that it is there. */
  readonly namedAt: number;
  /** When each parent began or ceased to list the category. */
  readonly moves: Moves;
}

export interface PageRow extends Group<PageContent> {
  /** When the list of policies last changed by this page, in milliseconds since 1970; null if it never did. */
  readonly policyAt: number | null;
}

export type CarrierRow = Group<
  Required<Omit<CarrierData, "active">> & { readonly active: boolean }
>;
export type SettingsRow = Group<Omit<ShopDocument, "updatedAt">>;
export type RobotsRow = Group<{ readonly text: string }>;

export type AgentRow = Group<{ readonly generation: number; readonly revoked: boolean }>;
