import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { property } from "../helpers/effort.ts";
import {
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite("contract §4 cursors while products change");

/** A change of one product between two pages. */
type Change =
  | "upsert"
  | "delete"
  | "hide"
  | "show"
  | "reprice"
  | "resize"
  | "move"
  | "sell out"
  | "restock";

interface Walk {
  /** Ids of the products when the walk begins. */
  readonly begin: readonly number[];
  readonly pageSize: number;
  /** Number of pages after which a rebuilt generation is swapped in. */
  readonly swapAfter: number;
  /** Changes between a page and the next. */
  readonly between: readonly (readonly (readonly [Change, number])[])[];
}

const lastId = 30;
const id = fc.integer({ min: 1, max: lastId });
const change = fc.constantFrom<Change>(
  "upsert",
  "delete",
  "hide",
  "show",
  "reprice",
  "resize",
  "move",
  "sell out",
  "restock",
);

const walks: fc.Arbitrary<Walk> = fc.record({
  begin: fc.uniqueArray(id, { minLength: 1, maxLength: lastId }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  swapAfter: fc.integer({ min: 1, max: 12 }),
  between: fc.array(fc.array(fc.tuple(change, id), { maxLength: 5 }), { maxLength: lastId }),
});

/** Every product is a lamp, either by its name or only by its description, so that ranks differ. */
const lamp = (id: number): CloudEvent =>
  productUpserted({
    id,
    name: id % 3 === 0 ? `Lamp ${id}` : `Thing ${id}`,
    brand: id % 5 === 0 ? "Lamp" : null,
    descriptionHtml: "<p>A lamp.</p>",
  });

const events: Readonly<Record<Change, (id: number) => CloudEvent>> = {
  upsert: lamp,
  delete: (id) => productDeleted(id),
  hide: (id) => productPatched({ id, active: false }),
  show: (id) => productPatched({ id, active: true }),
  reprice: (id) => priceChanged({ productId: id, price: { amount: `${id}.50`, currency: "EUR" } }),
  resize: (id) => productPatched({ id, specifications: [{ name: "Size", value: "L" }] }),
  move: (id) => productPatched({ id, url: `https://shop.example/moved/${id}` }),
  "sell out": (productId) => stockChanged({ productId, quantity: 0 }),
  restock: (productId) => stockChanged({ productId, quantity: 9 }),
};

/** Changes that remove a product from every walk. */
const removing: readonly Change[] = ["delete", "hide"];

interface Filter {
  readonly query?: string;
  readonly inStockOnly?: boolean;
}

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly userErrors: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const page = async (
  { graphql }: TestServer,
  variables: Filter & { readonly first: number; readonly after?: string | null },
): Promise<Page> => {
  const { data, errors } = await graphql<{ products: Page }>(
    `query ($first: Int, $after: String, $query: String, $inStockOnly: Boolean) {
      products(first: $first, after: $after, query: $query, inStockOnly: $inStockOnly) {
        nodes { id } pageInfo { hasNextPage endCursor } userErrors { code }
      }
    }`,
    variables,
  );
  assert.is(errors, undefined);
  assert.equal(data.products.userErrors, []);
  return data.products;
};

/**
 * Walks to the last page while products change and a rebuilt generation is swapped in, and compares the
 * products seen with those that stayed.
 */
const walkAndCheck = async (service: TestServer, walk: Walk, filter: Filter): Promise<void> => {
  const setup: CloudEvent[] = [
    ...range(lastId).map((id) => productDeleted(id)),
    ...walk.begin.flatMap((id) => [lamp(id), events.restock(id)]),
  ];
  service.apply(...setup);
  const leaving: readonly Change[] = filter.inStockOnly ? [...removing, "sell out"] : removing;
  const changes = [...walk.between];
  const stayed = new Set(walk.begin);
  const seen: number[] = [];
  let after: string | null = null;
  let pages = 0;
  for (let more = true; more; ) {
    const { nodes, pageInfo }: Page = await page(service, {
      ...filter,
      first: walk.pageSize,
      after,
    });
    seen.push(...nodes.map(({ id }) => Number(id)));
    after = pageInfo.endCursor;
    // Ends an endless walk; the assertions below report it.
    more = pageInfo.hasNextPage && seen.length <= 2 * lastId;
    const now = more ? (changes.shift() ?? []) : [];
    const changed = now.map(([change, id]) => events[change](id));
    setup.push(...changed);
    if (changed.length > 0) service.apply(...changed);
    pages += 1;
    if (pages === walk.swapAfter) await service.swap(setup);
    for (const [change, id] of now) if (leaving.includes(change)) stayed.delete(id);
  }
  assert.is(new Set(seen).size, seen.length, `repeated: ${seen.join(" ")}`);
  const skipped = [...stayed].filter((id) => !seen.includes(id));
  assert.equal(skipped, [], `saw ${seen.join(" ")}`);
};

const range = (to: number): readonly number[] =>
  Array.from({ length: to }, (_, index) => index + 1);

for (const [name, filter] of Object.entries({
  "all products": {},
  "orderable products": { inStockOnly: true },
  "the matches of a query": { query: "lamp" },
  "the orderable matches of a query": { query: "lamp", inStockOnly: true },
} satisfies Record<string, Filter>)) {
  test(`contract §4 a walk of ${name} while products change repeats none and skips none that stayed`, async () => {
    const service = await openTestServer();
    try {
      await fc.assert(
        fc.asyncProperty(walks, (walk) => walkAndCheck(service, walk, filter)),
        property(25),
      );
    } finally {
      await service.close();
    }
  });
}

/** Reads a page of two of four lamps, changes the relevance of one lamp, and reads the rest. */
const seenAfter = async (begin: readonly CloudEvent[], between: CloudEvent) => {
  const service = await openTestServer();
  service.apply(...begin);
  const one = await page(service, { query: "lamp", first: 2 });
  service.apply(between);
  const two = await page(service, { query: "lamp", first: 100, after: one.pageInfo.endCursor });
  await service.close();
  return [...one.nodes, ...two.nodes].map(({ id }) => Number(id));
};

const loud = (id: number): CloudEvent => productUpserted({ id, name: "Lamp" });
const quiet = (id: number): CloudEvent =>
  productUpserted({ id, name: "Thing", descriptionHtml: "<p>A lamp.</p>" });

test("contract §4 a walk of a query moves only the products whose relevance an edit changed", async () => {
  const products = [loud(1), loud(2), quiet(3), quiet(4)];
  const louder = productPatched({ id: 4, name: "Lamp lamp", brand: "Lamp" });
  assert.equal(await seenAfter(products, louder), [1, 2, 3]);
  assert.equal(await seenAfter(products, quiet(1)), [1, 2, 1, 3, 4]);
});

test.run();
