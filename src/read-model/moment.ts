import { addressKey } from "./address.ts";
import type { CategoryDocument } from "./documents.ts";
import { type Now, productsOf } from "./moment-products.ts";
import { categoryPageOf } from "./product-page.ts";
import type { Counts, Snapshot } from "./reader.ts";
import type { SearchWorld } from "./search/search.ts";
import { agentOf, carriersOf, pageShown } from "./shop-shown.ts";
import type { Tables } from "./store.ts";
import { type CounterName, tables } from "./tables.ts";

/**
 * All that can be asked of a generation at the moment `now` tells of. Each question marks there what it asks, so that an
 * answer is kept no longer than that stays.
 */
export const momentOf = (
  stored: Tables,
  world: SearchWorld,
  now: Now,
  { shop, robots }: Pick<Snapshot, "shop" | "robots">,
): Snapshot => {
  const checkpoint = () => {
    now.asked.everything = true;
    return stored.get(tables.meta, "checkpoint");
  };
  const pricesVisible = () => shop()?.pricesVisible ?? true;
  const counts = countsOf(stored, now);
  const withCount = (category: CategoryDocument) => ({
    ...category,
    productCount: stored.get(tables.categoryCounts, category.id) ?? 0,
  });
  const moment: Snapshot = {
    version: () => `${checkpoint()?.sequence ?? 0}.${checkpoint()?.retries ?? 0}`,
    lastEventTime() {
      const time = checkpoint()?.lastEventTime;
      return time ? new Date(time).toISOString() : undefined;
    },
    shop,
    counts: () => counts,
    ...productsOf(stored, world, now, counts, pricesVisible),
    categories() {
      // Each of them is asked for by itself.
      now.lists.categories ??= (stored.get(tables.categoryOrder, "order") ?? []).flatMap(
        (id) => moment.category(id) ?? [],
      );
      return now.lists.categories;
    },
    category(id) {
      now.asked.list = true;
      const category = stored.get(tables.categories, id);
      return category && withCount(category);
    },
    categoryDetail(id) {
      const content =
        stored.has(tables.categories, id) && stored.get(tables.categoryStates, id)?.content;
      return content ? { markdown: content.markdown } : undefined;
    },
    categoryProducts(id, query) {
      now.asked.list = true;
      const found = categoryPageOf(stored, id, query);
      for (const product of found?.products ?? []) now.asked.products.push(product.id);
      if (!found || pricesVisible()) return found;
      return { ...found, products: found.products.map((product) => ({ ...product, price: null })) };
    },
    policies() {
      now.lists.policies ??= [...stored.entries(tables.policies)].map(([, policy]) => policy);
      return now.lists.policies;
    },
    page: (id) => pageShown(stored, id),
    carriers: () => carriersOf(stored),
    robots,
    agent: (label) => agentOf(stored, label),
    address(pathAndQuery) {
      now.asked.list = true;
      const key = addressKey(pathAndQuery);
      for (const [, kind, id] of stored.keys(tables.addresses, {
        start: [key],
        end: [key, "\u{10ffff}"],
        limit: 1,
      })) {
        return { kind, id };
      }
      return undefined;
    },
  };
  return moment;
};

/** Each count is read when it is asked for. */
const countsOf = (stored: Tables, now: Now): Counts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    get products() {
      now.asked.list = true;
      return count("products");
    },
    get inStock() {
      now.asked.any = true;
      return count("inStock");
    },
    get stockedCategories() {
      now.asked.list = true;
      return count("stockedCategories");
    },
  };
};
