import type { AmountMember, CarrierData, PolicyTopic, ProductPatch } from "../../events/event.ts";
import type { PriceMembers, ProductFacts } from "../../events/product-facts.ts";
import type { EventTime } from "../../events/time.ts";
import type { PriceGroup } from "../../offers/price.ts";
import type { Stock } from "../../offers/stock.ts";
import type { ProductText, ShopDocument } from "./documents.ts";
import type { VariantContent } from "./product-parts.ts";

/**
 * Times at which an entity was last added to or removed from each list: pairs of list id and milliseconds since 1970,
 * sorted by id.
 */
export type ListingTimes = readonly (readonly [listId: number, time: number])[];

/** Rows that hold the state of each entity: its field groups, each with the version that wrote it. */

/**
 * Identifies the event that wrote a field group; evolve compares later events with it. It contains no data of the log,
 * so that the same events build the same model from any log.
 */
export interface EventVersion extends EventTime {
  readonly id: string;
  /** Version of the entity as the shop counts it. */
  readonly sequence?: string;
}

/** A field group: members that one event writes together; the content of a tombstone is null. */
export interface FieldGroup<C> {
  readonly version: EventVersion;
  /** Time of the latest event that changed the content, milliseconds since 1970. */
  readonly contentChangedAt: number;
  readonly content: C | null;
  /** Instants of replaced contents that may have dated a page before a late event replaced them; absent without any. */
  readonly pastChangesAt?: readonly number[];
}

export interface ProductCore
  extends Pick<
    ProductText,
    "name" | "url" | "reference" | "gtin" | "brand" | "categoryIds" | "specifications" | "images"
  > {
  readonly active: boolean;
  /** Hash of the description's HTML, which is rendered once and not stored; null without a description. */
  readonly html: string | null;
  /** Facts that events have; absent without any. */
  readonly facts?: ProductFacts;
}

/** A patch that arrived before the product's core, without the members that a later patch sets. */
export interface PendingPatch {
  readonly version: EventVersion;
  readonly patch: Omit<ProductPatch, "id" | keyof PriceMembers | "variants">;
}

export interface CoreRow {
  readonly group: FieldGroup<ProductCore> | null;
  /** Patches sorted by log sequence, which is also the order of their versions; null when none is queued. */
  readonly pending: readonly PendingPatch[] | null;
  /** Times at which the shop's list and each category's list last gained or lost the product. */
  readonly moves: ListingTimes;
  /** Version of the latest upsert or deletion, where a patch wrote the group after it. */
  readonly upsertVersion?: EventVersion;
}

/**
 * The price groups of a product or variant from two sources. Each member is named after the entity whose events stated it; the names
 * are stored. Each source has its own versions, so the two are compared by time, then by `tie`. A variant has `price` only.
 */
export interface PriceRow {
  /** Prices from `shop.product.*`. */
  readonly product: PriceFieldGroup | null;
  /** Prices from `shop.price.changed`. */
  readonly price: PriceFieldGroup | null;
  /** Source that is later in the log when the versions of both have the same time; null when the times differ. */
  readonly tie: "product" | "price" | null;
  /** Of a variant: ids of the events with the same time that stated the variant before `price` in the log. */
  readonly precededBy?: readonly string[];
}

/** The price group from one source; `price: null` is a cleared price, not a tombstone. */
export interface PriceFieldGroup extends FieldGroup<PriceGroup> {
  /** When this source last stated different prices, milliseconds since 1970; null if it never did. */
  readonly previousPriceAt: number | null;
  /** Members that patches left alone, with the version that set them; absent when the group's version set all. */
  readonly memberVersions?: readonly MemberVersion[];
}

export interface MemberVersion {
  readonly version: EventVersion;
  readonly members: readonly (AmountMember | "sales")[];
  /** Whether a deletion cleared them, so that they say nothing. */
  readonly isCleared: boolean;
  /** Whether they were set after `price` in the log, at the same time. */
  readonly isLater?: true;
}

export interface StockRow extends FieldGroup<StockContent> {
  /** Pieces on hand; null when the shop does not count. */
  readonly quantity: number | null;
  /** Time of the latest event that changed the quantity that can be shown, milliseconds since 1970. */
  readonly quantityChangedAt: number;
}

/** What a stock event says in addition to the quantity. */
export type StockContent = Omit<Stock, "quantity">;

/** The list of variants of a product; the content is null after an upsert without a list and after a deletion. */
export type VariantListRow = FieldGroup<readonly VariantContent[]>;

/** A variant from events of its own; the content of a deleted one is null. */
export interface VariantRow extends FieldGroup<VariantContent> {
  /** Id of the event that wrote the product's list at the same time and before this one in the log; null without one. */
  readonly precededBy: string | null;
}

/** The description of a product as Markdown. */
export interface ProductPageRow {
  /** As the page shows it. */
  readonly markdown: string;
  /** Markdown before its relative links were resolved; absent where it has none. */
  readonly source?: string;
}

export interface CategoryContent {
  /** Markdown as the category's page shows it. */
  readonly pageMarkdown: string | null;
  readonly name: string;
  readonly url: string;
  readonly parentId: number | null;
  readonly active: boolean;
  /** Hash of the description's HTML; null without a description. */
  readonly html: string | null;
  readonly description: string | null;
}

export interface PageContent {
  /** Markdown as the page shows it. */
  readonly pageMarkdown: string | null;
  readonly title: string;
  readonly url: string;
  readonly policy: PolicyTopic | null;
  readonly published: boolean;
  /** Hash of the content's HTML. */
  readonly html: string;
  readonly summary: string | null;
}

export interface CategoryRow extends FieldGroup<CategoryContent> {
  /** Time of the last change that other pages show, milliseconds since 1970: name, URL, parent or existence. */
  readonly summaryChangedAt: number;
  /** Times at which each parent's list last gained or lost the category. */
  readonly moves: ListingTimes;
}

export interface PageRow extends FieldGroup<PageContent> {
  /** Time at which this page last changed the list of policies, milliseconds since 1970; null if it never did. */
  readonly policyAt: number | null;
}

export type CarrierRow = FieldGroup<
  Required<Omit<CarrierData, "active">> & { readonly active: boolean }
>;
export type SettingsRow = FieldGroup<Omit<ShopDocument, "updatedAt">>;
export type RobotsRow = FieldGroup<{ readonly text: string }>;

export type AgentRow = FieldGroup<RevocationFloor>;

/** Visible changes of one batch, by which readers decide whether a cached reply is still current. */
export interface ChangeSet {
  /** Ids of products with possible visible changes; null when there are too many to list. */
  readonly products: readonly number[] | null;
  /** True when products were added, removed or moved to another address or category. */
  readonly listChanged: boolean;
  /** True when other data changed: shop, categories, pages, carriers, robots.txt, tokens. */
  readonly shopChanged: boolean;
}

/** The revoked tokens of a label: those of a lower generation and, when `revoked` is true, those of this generation. */
export interface RevocationFloor {
  readonly generation: number;
  readonly revoked: boolean;
}
