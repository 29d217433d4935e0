import type { ConnectionSettings } from "../../../gateway/configuration.ts";
import type { ConnectionSummary } from "../../../gateway/inbox/summary.ts";
import { readCarriers, readShop } from "../../../read-model/reader/shop-documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { Store } from "../../../read-model/store/store.ts";

/** What agents cannot learn, and the step that mends it. */
export interface Missing {
  readonly what: string;
  readonly step: string;
}

type Platform = ConnectionSettings["platform"];

/** Topics of which one is needed, and what is missing without any. The first one is that to subscribe to. */
interface NeededTopics {
  readonly topics: readonly string[];
  readonly what: string;
}

const needed = (what: string, ...topics: readonly string[]): NeededTopics => ({ what, topics });

export const neededTopics: Readonly<Record<Platform, readonly NeededTopics[]>> = {
  shopify: [
    needed("changes of products", "products/update"),
    needed("new products", "products/create"),
    needed("deletions of products", "products/delete"),
    needed("stock of locations", "inventory_levels/update", "inventory_levels/connect"),
    needed("whether stock is tracked", "inventory_items/update", "inventory_items/create"),
  ],
  woocommerce: [
    needed("changes of products", "product.updated", "product.published"),
    needed("new products", "product.created"),
    needed("deletions of products", "product.deleted"),
    needed("restored products", "product.restored"),
  ],
  commercetools: [
    needed("products", "ProductPublished"),
    needed("deletions of products", "ProductUnpublished", "ProductDeleted", "ResourceDeleted"),
    needed("stock", "InventoryEntryQuantitySet", "InventoryEntryCreated", "InventoryEntryDeleted"),
  ],
  files: [],
};

/** Lists what a connection has never taken or published. @param summary undefined without an inbox */
export const findMissing = (
  name: string,
  settings: ConnectionSettings | undefined,
  summary: ConnectionSummary | undefined,
): readonly Missing[] => {
  if (!settings) return [notInFile];
  const steps = [...(summary ? topicSteps(settings, summary) : [])];
  if (!summary && settings.platform !== "files")
    steps.push({ what: "it has no inbox yet", step: "start vitrine gateway" });
  if (!summary || summary.products === "none")
    steps.push({
      what: "no product was published",
      step: `import a file of all products: vitrine import FILE --connection ${name}`,
    });
  else if (!summary.hasStock)
    steps.push({ what: "no stock was published", step: stockSteps[settings.platform] });
  if (settings.platform === "shopify" && summary?.products === "text") steps.push(onlyTextIds);
  return steps;
};

const notInFile: Missing = {
  what: "the file of connections does not have it, so no gateway takes its deliveries",
  step: "add it to the file, or remove its directory",
};

const onlyTextIds: Missing = {
  what: "products came from a file: baskets need the platform's ids",
  step: "import products.json, or subscribe to products/update",
};

const stockSteps: Readonly<Record<Platform, string>> = {
  shopify: "save a product at the platform, or import products.json",
  woocommerce: "save a product at the platform",
  commercetools: "subscribe to the messages of inventory entries",
  files: "import a file that has quantities or availabilities",
};

const topicSteps = (
  settings: ConnectionSettings,
  { topics }: ConnectionSummary,
): readonly Missing[] => {
  const taken = new Set(topics.map(({ topic }) => topic));
  const steps = neededTopics[settings.platform]
    .filter((each) => !each.topics.some((topic) => taken.has(topic)))
    .map(({ what, topics: [topic = ""] }) => ({
      what: `${what}: ${topic} never arrived`,
      step: `subscribe to ${topic}, unless it is`,
    }));
  if (settings.platform !== "shopify" || settings.locations !== undefined) return steps;
  const step = 'add "locations" to the connection';
  return [...steps, { what: "stock of locations: without their number no level counts", step }];
};

/** Lists what the live read model has never had, and no connection sends. */
export const findMissingOfShop = (stored: Store): readonly Missing[] => {
  const publish = (what: string, type: string): Missing => ({
    what,
    step: `publish ${type} with vitrine publish`,
  });
  const [policy] = stored.entries(tables.policies);
  return [
    ...(readShop(stored) ? [] : [publish("the shop has no settings", "shop.settings.updated")]),
    ...(policy ? [] : [publish("no policies", "shop.page.upserted with `policy`")]),
    ...(readCarriers(stored).length > 0 ? [] : [publish("no carriers", "shop.carrier.upserted")]),
  ];
};
