import { defaultPolicy } from "../../src/offers/policy.ts";
import { outOfStock } from "../../src/offers/stock.ts";
import { type Offer, offerAt, toView } from "../../src/read-model/reader/offer.ts";
import type { Product } from "../../src/read-model/reader/product.ts";
import type {
  OffsetPage,
  ProductPage,
  Reader,
  Snapshot,
} from "../../src/read-model/reader/reader.ts";
import type {
  CarrierDocument,
  CategoryDocument,
  PageDocument,
  PolicyDocument,
  ProductText,
  ShopDocument,
} from "../../src/read-model/schema/documents.ts";
import type { OffsetPageQuery, ProductQuery } from "../../src/read-model/schema/queries.ts";

/** A small shop in memory: gives the answers of the read model without LMDB, events or search ranks. */
export interface MemoryShop {
  readonly shop?: ShopDocument;
  readonly products?: readonly Product[];
  readonly categories?: readonly CategoryDocument[];
  readonly pages?: readonly PageDocument[];
  readonly carriers?: readonly CarrierDocument[];
  readonly robots?: string;
}

/** @param current called once per snapshot, so that a test can change the shop between requests */
export const memoryReader = (current: () => MemoryShop): Reader => ({
  position: () => undefined,
  snapshot: (read) => read(snapshotOf(current())),
  scanPages: (read) => read(() => []),
});

/** Members of a product in one object. */
export interface FlatProduct
  extends Pick<ProductText, "id" | "name" | "url" | "reference" | "gtin" | "brand">,
    Pick<Offer, "price" | "availability">,
    Pick<Product, "description" | "updatedAt" | "lastmod"> {}

export const flatten = (product: Product): FlatProduct => {
  const { text, description, offer, updatedAt, lastmod } = product;
  const { id, name, url, reference, gtin, brand } = text;
  const { price, availability } = offer;
  return {
    id,
    name,
    description,
    url,
    reference,
    gtin,
    brand,
    price,
    availability,
    updatedAt,
    lastmod,
  };
};

/** Builds a valid product; `over` overrides members. */
export const aProduct = (over: Partial<FlatProduct> & Partial<ProductText> = {}): Product => {
  const id = over.id ?? 1;
  const { description = `What product ${id} is good for.`, price, availability, ...texts } = over;
  const { updatedAt = "2026-01-02T03:04:05.000Z", lastmod = updatedAt, ...members } = texts;
  const text: ProductText = {
    id,
    name: `Product ${id}`,
    url: `https://shop.example/p/${id}`,
    reference: `REF-${id}`,
    gtin: "4006381333931",
    brand: "Acme",
    ...{ categoryIds: [], specifications: [], images: [], facts: {}, options: [] },
    descriptionHash: null,
    changedAt: Date.parse(updatedAt),
    shownAt: Date.parse(lastmod),
    ...members,
  };
  return {
    ...{ id, text, description, updatedAt, lastmod },
    json: Buffer.from(JSON.stringify(text)).toString("latin1"),
    markdown: description,
    offer: anOffer(
      price === undefined ? { amount: "12.90", currency: "EUR" } : price,
      availability,
    ),
    variants: undefined,
    nextChange: Number.POSITIVE_INFINITY,
  };
};

const anOffer = (price: Offer["price"], availability = "IN_STOCK", isVisible = true): Offer => {
  const orderable = availability === "IN_STOCK";
  return offerAt(
    {
      shown: { price, listPrice: null, priorPrice: null, sale: null, range: null },
      stock: orderable ? { ...outOfStock, orderable, status: "in_stock" } : outOfStock,
      featured: null,
      priceGroup: () => undefined,
      texts: () => ({}),
    },
    { ...toView(0, undefined), policy: { ...defaultPolicy, pricesVisible: isVisible } },
  );
};

export const aShop = (over: Partial<ShopDocument> = {}): ShopDocument => ({
  name: "The Shop",
  url: "https://shop.example",
  language: "de",
  currency: "EUR",
  description: null,
  deprecationPolicy: null,
  ...defaultPolicy,
  freeShippingThreshold: null,
  checkoutLink: null,
  contact: null,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...over,
});

export const aCategory = (over: Partial<CategoryDocument> = {}): CategoryDocument => ({
  id: 1,
  name: "Tools",
  url: "https://shop.example/c/1",
  depth: 1,
  parentId: null,
  lastmod: "2026-01-01T00:00:00.000Z",
  ...over,
});

export const aPage = (over: Partial<PageDocument> = {}): PageDocument => ({
  id: 1,
  title: "Returns",
  url: "https://shop.example/returns",
  policy: "returns",
  summary: "Thirty days.",
  markdown: "Thirty days.",
  lastmod: "2026-01-01T00:00:00.000Z",
  ...over,
});

const snapshotOf = (shop: MemoryShop): Snapshot => {
  const products = visible(shop);
  const categories = counted(shop);
  const findProduct = (id: number) => products.find((product) => product.id === id);
  return {
    pagesVersion: () => String(products.length),
    nextOfferChange: () => Number.POSITIVE_INFINITY,
    lastEventTime: () =>
      products
        .map((product) => product.updatedAt)
        .sort()
        .at(-1),
    changedAt: () => shop.shop?.updatedAt,
    shop: () => shop.shop,
    counts: () => ({
      products: products.length,
      inStock: products.filter((product) => product.offer.availability === "IN_STOCK").length,
      stockedCategories: categories.filter((category) => category.productCount > 0).length,
    }),
    product: findProduct,
    relatedProducts: () => [],
    matchedVariants: () => new Map(),
    products: (query) => pageOf(products, query),
    listing: (query) => listingOf(products, query),
    facets: () => ({ brands: [], categories: [], prices: [], options: [], attributes: [] }),
    suggestions: () => [],
    categories: () => categories,
    topCategories: (limit) => ({
      categories: categories.slice(0, limit),
      total: categories.length,
    }),
    subcategories: (id) => categories.filter(({ parentId }) => parentId === id),
    listedCategory: (id) => categories.find((category) => category.id === id),
    category: (id) => categories.find((category) => category.id === id),
    categoryDetail: () => undefined,
    categoryProducts: () => ({ products: [], next: undefined }),
    policies: () => policiesOf(shop),
    page: (id) => shop.pages?.find((page) => page.id === id),
    findPages: () => [],
    instant: () => 0,
    // biome-ignore lint/correctness/useYield: a shop without lines
    *changedLines() {
      return undefined;
    },
    removalReason: () => "deleted",
    carrier: (id) => shop.carriers?.find((carrier) => carrier.id === id),
    carriers: () => shop.carriers ?? [],
    robots: () =>
      shop.robots === undefined
        ? undefined
        : { text: shop.robots, updatedAt: "2026-10-01T08:00:00.000Z" },
    agent: () => undefined,
    address: () => undefined,
  };
};

const visible = ({ shop, products = [] }: MemoryShop): readonly Product[] =>
  products
    .map((product) =>
      shop?.pricesVisible === false
        ? { ...product, offer: anOffer(null, product.offer.availability, false) }
        : product,
    )
    .sort((a, b) => a.id - b.id);

const counted = ({ categories = [], products = [] }: MemoryShop) =>
  categories
    .map((category) => ({
      ...category,
      productCount: products.filter(({ text }) => text.categoryIds.includes(category.id)).length,
    }))
    .sort((a, b) => a.depth - b.depth || a.name.localeCompare(b.name) || a.id - b.id);

const policiesOf = ({ pages = [] }: MemoryShop): readonly PolicyDocument[] =>
  pages.flatMap(({ id, title, url, policy, summary }) =>
    policy ? [{ id, title, url, topic: policy, summary }] : [],
  );

const pageOf = (
  products: readonly Product[],
  { first, after, query, inStockOnly }: ProductQuery,
): ProductPage | undefined => {
  const begin = after === undefined ? 0 : idOf(after);
  if (begin === undefined) return undefined;
  const matching = products.filter(
    (product) =>
      (!inStockOnly || product.offer.availability === "IN_STOCK") &&
      (!query || matches(product, query)),
  );
  const rest = matching.filter((product) => product.id > begin);
  const page = rest.slice(0, first);
  return {
    products: page,
    cursor: (at) => page.at(at) && Buffer.from(`after:${page.at(at)?.id}`).toString("base64url"),
    hasNextPage: rest.length > page.length,
    hasPreviousPage: rest.length < matching.length,
    totalCount: matching.length,
  };
};

/** Lists in the order of ids, whatever order the query names. */
const listingOf = (
  products: readonly Product[],
  { limit, offset }: OffsetPageQuery,
): OffsetPage => ({ products: products.slice(offset, offset + limit), total: products.length });

const idOf = (cursor: string): number | undefined => {
  const match = /^after:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString());
  return match ? Number(match[1]) : undefined;
};

const matches = ({ text, description }: Product, query: string): boolean => {
  const all = `${text.name} ${text.brand} ${text.reference} ${description}`;
  const words = all.toLowerCase().split(/\W+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((queryWord) => words.some((word) => word.startsWith(queryWord)));
};
