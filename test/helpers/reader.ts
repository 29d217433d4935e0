import { buildProductFragments } from "../../src/read-model/fragments/product-fragments.ts";
import {
  type ProductJson,
  splitFragments,
  splitProduct,
} from "../../src/read-model/reader/product-json.ts";
import type { ProductQueries, Reader, Snapshot } from "../../src/read-model/reader/reader.ts";
import type {
  CarrierDocument,
  CategoryDocument,
  PageDocument,
  PolicyDocument,
  ProductDetail,
  ProductDocument,
  ShopDocument,
} from "../../src/read-model/schema/documents.ts";
import type {
  OffsetPage,
  OffsetPageQuery,
  ProductPage,
  ProductQuery,
} from "../../src/read-model/schema/queries.ts";

/** A small shop in memory: gives the answers of the read model without LMDB, events or search ranks. */
export interface MemoryShop {
  readonly shop?: ShopDocument;
  readonly products?: readonly ProductDocument[];
  readonly details?: ReadonlyMap<number, ProductDetail>;
  readonly categories?: readonly CategoryDocument[];
  readonly pages?: readonly PageDocument[];
  readonly carriers?: readonly CarrierDocument[];
  readonly robots?: string;
}

/** @param current called once per snapshot, so that a test can change the shop between requests */
export const memoryReader = (current: () => MemoryShop): Reader => ({
  snapshot: (read) => read(snapshotOf(current())),
  scanPages: (read) => read(() => []),
});

/** Builds a valid product; `over` overrides members. */
export const aProduct = (over: Partial<ProductDocument> = {}): ProductDocument => {
  const id = over.id ?? 1;
  return {
    id,
    name: `Product ${id}`,
    description: `What product ${id} is good for.`,
    url: `https://shop.example/p/${id}`,
    reference: `REF-${id}`,
    gtin: "4006381333931",
    brand: "Acme",
    price: { amount: "12.90", currency: "EUR" },
    availability: "IN_STOCK",
    updatedAt: "2026-01-02T03:04:05.000Z",
    lastmod: "2026-01-02T03:04:05.000Z",
    ...over,
  };
};

export const aShop = (over: Partial<ShopDocument> = {}): ShopDocument => ({
  name: "The Shop",
  url: "https://shop.example",
  language: "de",
  currency: "EUR",
  description: null,
  deprecationPolicy: null,
  pricesVisible: true,
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
    nextEdge: () => Number.POSITIVE_INFINITY,
    lastEventTime: () =>
      products
        .map((product) => product.updatedAt)
        .sort()
        .at(-1),
    changedAt: () => shop.shop?.updatedAt,
    shop: () => shop.shop,
    counts: () => ({
      products: products.length,
      inStock: products.filter((product) => product.availability === "IN_STOCK").length,
      stockedCategories: categories.filter((category) => category.productCount > 0).length,
    }),
    product: findProduct,
    productDetail: (id) => shop.details?.get(id),
    productMembers(id) {
      const product = findProduct(id);
      return product && splitProduct(JSON.stringify(product));
    },
    productFragments(id) {
      const product = findProduct(id);
      const detail = shop.details?.get(id) ?? noDetail;
      return product && splitFragments(JSON.stringify(buildProductFragments(product, detail)));
    },
    productGoods: () => undefined,
    relatedProducts: () => [],
    hasGoods: () => false,
    priceRange: () => null,
    productOffer: () => undefined,
    variants: () => ({ variants: [], total: 0, hasNextPage: false, hasPreviousPage: false }),
    variantChoices: () => ({ options: [], variants: [] }),
    variant: () => undefined,
    matchedVariants: () => [],
    products: (query) => pageOf(products, query),
    rawProducts: () => (shop.shop?.pricesVisible === false ? undefined : textsOf(products)),
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
    carriers: () => shop.carriers ?? [],
    robots: () =>
      shop.robots === undefined
        ? undefined
        : { text: shop.robots, updatedAt: "2026-10-01T08:00:00.000Z" },
    agent: () => undefined,
    address: () => undefined,
  };
};

const noDetail: ProductDetail = {
  markdown: null,
  categoryIds: [],
  specifications: [],
  images: [],
};

const textsOf = (products: readonly ProductDocument[]): ProductQueries<ProductJson> => {
  const text = (product: ProductDocument): ProductJson =>
    Buffer.from(JSON.stringify(product)).toString("latin1");
  return {
    product(id) {
      const found = products.find((product) => product.id === id);
      return found && text(found);
    },
    products(query) {
      const page = pageOf(products, query);
      return page && { ...page, products: page.products.map(text) };
    },
  };
};

const visible = ({ shop, products = [] }: MemoryShop): readonly ProductDocument[] =>
  products
    .map((product) => (shop?.pricesVisible === false ? { ...product, price: null } : product))
    .sort((a, b) => a.id - b.id);

const counted = ({ categories = [], details }: MemoryShop) =>
  categories
    .map((category) => ({
      ...category,
      productCount: [...(details?.values() ?? [])].filter(({ categoryIds }) =>
        categoryIds.includes(category.id),
      ).length,
    }))
    .sort((a, b) => a.depth - b.depth || a.name.localeCompare(b.name) || a.id - b.id);

const policiesOf = ({ pages = [] }: MemoryShop): readonly PolicyDocument[] =>
  pages.flatMap(({ id, title, url, policy, summary }) =>
    policy ? [{ id, title, url, topic: policy, summary }] : [],
  );

const pageOf = (
  products: readonly ProductDocument[],
  { first, after, query, inStockOnly }: ProductQuery,
): ProductPage | undefined => {
  const begin = after === undefined ? 0 : idOf(after);
  if (begin === undefined) return undefined;
  const matching = products.filter(
    (product) =>
      (!inStockOnly || product.availability === "IN_STOCK") && (!query || matches(product, query)),
  );
  const rest = matching.filter((product) => product.id > begin);
  const page = rest.slice(0, first);
  return {
    products: page,
    cursors: page.map(({ id }) => Buffer.from(`after:${id}`).toString("base64url")),
    hasNextPage: rest.length > page.length,
    hasPreviousPage: rest.length < matching.length,
    totalCount: matching.length,
  };
};

/** Lists in the order of ids, whatever order the query names. */
const listingOf = (
  products: readonly ProductDocument[],
  { limit, offset }: OffsetPageQuery,
): OffsetPage => ({ products: products.slice(offset, offset + limit), total: products.length });

const idOf = (cursor: string): number | undefined => {
  const match = /^after:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString());
  return match ? Number(match[1]) : undefined;
};

const matches = (product: ProductDocument, query: string): boolean => {
  const text = `${product.name} ${product.brand} ${product.reference} ${product.description}`;
  const words = text.toLowerCase().split(/\W+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((queryWord) => words.some((word) => word.startsWith(queryWord)));
};
