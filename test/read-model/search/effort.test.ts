import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { type TableName, tables } from "../../../src/read-model/schema/tables.ts";
import {
  emptySource,
  idSource,
  type PostingSource,
} from "../../../src/read-model/search/postings/posting-source.ts";
import { emptyPostings } from "../../../src/read-model/search/postings/postings.ts";
import { rankByScore } from "../../../src/read-model/search/ranking/ranked-results.ts";
import {
  matchRelaxed,
  matchRelaxedFrom,
} from "../../../src/read-model/search/ranking/relaxed-match.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { categoryUpserted, productUpserted } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("what a question costs");

test.before.each((context) => {
  context.model = openModel();
});
test.after.each(({ model }) => model.close());

/** A source that counts how often it is read. */
const counting = (source: PostingSource, reads: { all: number; at: number }): PostingSource => ({
  count: source.count,
  all() {
    reads.all += 1;
    return source.all();
  },
  at(ids) {
    reads.at += 1;
    return source.at(ids);
  },
});

const multiplesOf = (step: number, count = 10_000): PostingSource =>
  idSource(Array.from({ length: count }, (_, at) => (at + 1) * step));

const everything = 1_000_000;

test("words whose products the filters leave out are not walked", () => {
  const reads = { all: 0, at: 0 };
  const parts = [2, 3, 5, 7, 11, 13].map((step) => ({
    source: counting(multiplesOf(step), reads),
    weight: 10,
  }));
  const nothing: PostingSource = {
    count: 0,
    all: () => emptyPostings,
    at: (ids) => new Uint16Array(ids.length),
  };
  assert.is(matchRelaxed(parts, [nothing], everything).ids.length, 0);
  assert.is(reads.all, 0);
  assert.ok(reads.at <= parts.length, `${reads.at}`);
  const { ids } = matchRelaxed(parts, [idSource([30, 210, 2_310, 30_031])], everything);
  assert.equal([...ids], [210, 2_310]);
  assert.is(reads.all, 0);
});

test("filters that leave much are not walked for words that few products say", () => {
  const reads = { all: 0, at: 0 };
  const parts = [500, 700].map((step) => ({ source: multiplesOf(step, 100), weight: 10 }));
  const even = counting(multiplesOf(2, 400_000), reads);
  const prices = { ...even, count: Number.POSITIVE_INFINITY };
  const all = matchRelaxed(parts, [], everything);
  assert.is(all.ids.length, 14);
  assert.equal(matchRelaxed(parts, [even], everything), all);
  assert.equal(matchRelaxed(parts, [prices], everything), all);
  assert.equal(matchRelaxed(parts, [even, prices], everything), all);
  assert.is(reads.all, 0);
});

test("whichever is walked, the words or what the filters leave, the same is found", () => {
  const parts = [2, 3, 5, 7].map((step) => ({ source: multiplesOf(step), weight: 10 + step }));
  for (const filter of [multiplesOf(7, 2_000), multiplesOf(4, 9_000), multiplesOf(1, 60_000)]) {
    const found = matchRelaxed(parts, [filter], everything);
    const some = { ...filter, count: Number.POSITIVE_INFINITY };
    const few = parts.map(({ source, weight }) => ({ source: { ...source, count: 1 }, weight }));
    assert.equal(matchRelaxed(few, [filter], everything), found);
    assert.equal(matchRelaxed(parts, [some], everything), found);
    assert.ok(found.ids.length > 0);
  }
});

/** Twelve parts that most of 100,000 products match, the first ones fewer. */
const common = () => {
  const looks = { ids: 0 };
  const parts = Array.from({ length: 12 }, (_, part) => {
    const ids = Array.from({ length: 100_000 }, (_, at) => at + 1);
    const source = idSource(ids.filter((id) => (id * (part + 7)) % 23 < 2 + part * 2));
    const at: PostingSource["at"] = (asked) => {
      looks.ids += asked.length;
      return source.at(asked);
    };
    return { source: { ...source, at }, weight: 16 };
  });
  return { looks, parts };
};

/** Without the parts that a first page left out. */
const only = (parts: ReturnType<typeof common>["parts"], counting: ReadonlySet<number>) =>
  parts.map((part, at) => (counting.has(at) ? part : { source: emptySource, weight: 0 }));

const mostLooks = 240_000;

test("where not all has to match, no more is looked up than an answer is worth, with filters or without", () => {
  const half = idSource(Array.from({ length: 50_000 }, (_, at) => at * 2 + 2));
  const others = idSource(Array.from({ length: 7_000 }, (_, at) => at + 93_001));
  for (const filters of [[], [half], [others], [{ ...half, count: Number.POSITIVE_INFINITY }]]) {
    const { looks, parts } = common();
    const found = matchRelaxed(parts, filters, 100_000);
    assert.ok(found.ids.length > 0);
    assert.ok(looks.ids <= mostLooks, `${looks.ids}`);
  }
});

test("where most products match each part, as many count as they can be looked up in, and one at least", () => {
  let looks = 0;
  const parts = Array.from({ length: 12 }, (_, part) => {
    const source = multiplesOf(1, 70_000 + part);
    const at: PostingSource["at"] = (asked) => {
      looks += asked.length;
      return source.at(asked);
    };
    return { source: { ...source, at }, weight: 16 };
  });
  const found = matchRelaxed(parts, [], 100_000);
  assert.ok(found.ids.length > 0);
  assert.is(found.countedIndexes.size, 3);
  assert.ok(looks <= mostLooks, `${looks}`);
  const all = [{ source: multiplesOf(1, 300_000), weight: 16 }];
  assert.is(matchRelaxed(all, [], everything).ids.length, 300_000);
});

test("in a small shop all parts count, however many products they may match, and those that none matches", () => {
  const parts = Array.from({ length: 12 }, (_, part) => ({
    source: { ...multiplesOf(1, 500 + part), count: 1_000_000 + part },
    weight: 16,
  }));
  const unknown = { source: emptySource, weight: 16 };
  const found = matchRelaxed([...parts, unknown], [], 1_000);
  assert.is(found.countedIndexes.size, 13);
  assert.ok(found.ids.length > 0);
});

test("later pages find what the first one found, and what comes between them changes nothing of it", () => {
  const { looks, parts } = common();
  for (const filters of [[], [multiplesOf(3, 30_000)], [multiplesOf(2, 50_000)]]) {
    const first = matchRelaxed(parts, filters, 100_000);
    assert.ok(first.countedIndexes.size > 1 && first.countedIndexes.size < 12);
    looks.ids = 0;
    const later = matchRelaxedFrom(
      only(parts, first.countedIndexes),
      filters,
      100_000,
      first.minWeight,
    );
    assert.equal(later?.ids, first.ids);
    assert.equal(later?.payloads, first.payloads);
    assert.ok(looks.ids <= mostLooks, `${looks.ids}`);
    // Every fourth is new, and none of them said more than the others.
    const more = parts.map(({ source, weight }) => {
      const ids = [...source.all().ids];
      const came = ids.filter((id) => id % 4 === 0).map((id) => id + 100_000);
      return { source: idSource([...ids, ...came]), weight };
    });
    const known = matchRelaxedFrom(only(more, first.countedIndexes), [], 125_000, first.minWeight);
    const without = matchRelaxedFrom(
      only(parts, first.countedIndexes),
      [],
      100_000,
      first.minWeight,
    );
    assert.equal(
      known?.ids.filter((id) => id <= 100_000),
      without?.ids,
    );
  }
});

test("a later page that no first one would have is refused before anything is looked up", () => {
  const { looks, parts } = common();
  for (const filters of [[], [multiplesOf(1, 90_000)]]) {
    assert.is(matchRelaxedFrom(parts, filters, 100_000, 1), undefined);
    assert.is(matchRelaxedFrom(parts, filters, 100_000, 40), undefined);
    assert.is(looks.ids, 0);
  }
  assert.ok(matchRelaxedFrom(parts, [multiplesOf(9, 9_000)], 100_000, 1));
  assert.is(matchRelaxedFrom(parts, [], 100_000, 12 * 16 + 1)?.ids.length, 0);
});

test("where the filters leave none of the rarest parts, the others are what counts", () => {
  const parts = [100_000, 200_000, 300_000].map((from, part) => ({
    source: idSource(Array.from({ length: 70_000 + part }, (_, at) => from + at)),
    weight: 16,
  }));
  const filters = [idSource(Array.from({ length: 200_000 }, (_, at) => 200_000 + at))];
  const found = matchRelaxed(parts, filters, 500_000);
  assert.is(found.ids.length, 70_001);
  assert.is(found.countedIndexes.has(0), false);
});

test("ranks are looked through once, however many of them there are", () => {
  const ids = Uint32Array.from({ length: 2_000 }, (_, at) => at + 1);
  const ranks = Uint32Array.from(ids, (id) => id >> 1);
  let looks = 0;
  const counted = Object.assign(ranks, {
    indexOf(rank: number, from?: number) {
      looks += 1;
      return Uint32Array.prototype.indexOf.call(ranks, rank, from);
    },
  });
  const { groups } = rankByScore(ids, counted).selectTop(1_000);
  const found = groups.flatMap(({ ids: alike }) => [...alike]);
  assert.equal(found.slice(0, 5), [2_000, 1_998, 1_999, 1_996, 1_997]);
  assert.ok(found.length >= 1_000);
  assert.ok(looks <= 4, `${looks}`);
});

/** How often rows of a table are read, as the reader of a model reads them. */
const readsOf = (
  model: TestModel,
  table: TableName,
  ask: Parameters<TestModel["read"]>[0],
): number => {
  let reads = 0;
  const store = new Proxy(model.store, {
    get(target, name, receiver) {
      if (name !== "get") return Reflect.get(target, name, receiver);
      return ((asked, key) => {
        if (asked.name === tables[table].name) reads += 1;
        return target.get(asked, key);
      }) satisfies Store["get"];
    },
  });
  openReader(store).snapshot(ask);
  return reads;
};

test("categories that a word names are opened once, however many searches of a moment say it", ({
  model,
}) => {
  model.apply(
    ...Array.from({ length: 60 }, (_, at) => categoryUpserted({ id: at + 1, name: `Set ${at}` })),
    ...Array.from({ length: 60 }, (_, at) =>
      productUpserted({ id: at + 1, categoryIds: [at + 1] }),
    ),
  );
  const reads = readsOf(model, "postingLists", (moment) => {
    for (const query of ["set", "the set", "set a", "my set", "your set"]) {
      moment.products({ query, relax: true, first: 3 });
    }
    assert.is(moment.products({ categoryId: 7, query: "set", first: 3 })?.totalCount, 1);
  });
  assert.ok(reads >= 60 && reads < 120, `${reads}`);
});

/** How many rows of an order are walked. */
const walkedIn = (model: TestModel, table: TableName, ask: Parameters<TestModel["read"]>[0]) => {
  let rows = 0;
  function* counted<K>(keys: Iterable<K>): Iterable<K> {
    for (const key of keys) {
      rows += 1;
      yield key;
    }
  }
  const store = new Proxy(model.store, {
    get(target, name, receiver) {
      if (name !== "keys") return Reflect.get(target, name, receiver);
      return ((asked, range) => {
        const keys = target.keys(asked, range);
        return asked.name === tables[table].name ? counted(keys) : keys;
      }) satisfies Store["keys"];
    },
  });
  openReader(store).snapshot(ask);
  return rows;
};

/** Of 2,000 products the last by name, which cost most, are called Zwatch. */
const tellWatches = (model: TestModel): void => {
  model.apply(
    ...Array.from({ length: 2_000 }, (_, at) =>
      productUpserted({
        id: at + 1,
        name: at < 1_850 ? `Lamp ${at}` : `Zwatch ${9_999 - at}`,
        price: { amount: `${at + 10}.50`, currency: "EUR" },
      }),
    ),
  );
};

const watches = { query: "zwatch", first: 3 } as const;

test("a page of what stands at the far end of an order is told without a walk there", ({
  model,
}) => {
  tellWatches(model);
  const rows = walkedIn(model, "nameOrder", (moment) => {
    const page = moment.products({ ...watches, sort: "name" });
    assert.equal(
      page?.products.map(({ id }) => id),
      [2_000, 1_999, 1_998],
    );
    assert.is(page?.hasNextPage, true);
  });
  assert.ok(rows <= 250, `${rows}`);
});

test("products are sorted by price, and by name, without reading each", ({ model }) => {
  tellWatches(model);
  for (const [sort, ids] of [
    ["name", [2_000, 1_999, 1_998]],
    ["price_asc", [1_851, 1_852, 1_853]],
    ["price_desc", [2_000, 1_999, 1_998]],
  ] as const) {
    const reads = readsOf(model, "products", (moment) => {
      const page = moment.products({ ...watches, sort });
      assert.equal(
        page?.products.map(({ id }) => id),
        [...ids],
        sort,
      );
      const after = page?.cursors.at(-1) ?? "";
      const rest = moment.products({ ...watches, sort, first: 200, after });
      assert.is(rest?.products.length, 147);
      assert.is(rest?.hasPreviousPage, true);
    });
    assert.ok(reads <= 150, `${sort} ${reads}`);
  }
});

test("behind the end of a list nothing is read", ({ model }) => {
  tellWatches(model);
  for (const sort of ["name", "price_asc", "relevance"] as const) {
    const ask: Parameters<TestModel["read"]>[0] = (moment) => {
      const found = moment.listing({ query: "zwatch", sort, offset: 150, limit: 10 });
      assert.equal([found.products, found.total], [[], 150]);
    };
    assert.is(walkedIn(model, sort === "name" ? "nameOrder" : "priceOrder", ask), 0);
    assert.is(readsOf(model, "products", ask), 0);
  }
});

test("who shares a GTIN is told without a look at each product", ({ model }) => {
  const gtin = "4006381333931";
  model.apply(
    ...Array.from({ length: 200 }, (_, at) =>
      productUpserted({ id: at + 1, gtin, reference: at < 50 ? gtin : `R${at}` }),
    ),
  );
  for (const [filter, total] of [
    [{ gtin }, 200],
    [{ reference: gtin }, 50],
    [{ reference: "r-60" }, 1],
    [{ gtin: "R60" }, 0],
  ] as const) {
    const reads = readsOf(model, "products", (moment) => {
      const page = moment.products({ ...filter, first: 3 });
      assert.is(page?.totalCount, total, JSON.stringify(filter));
    });
    assert.ok(reads <= 3, `${reads}`);
  }
});

test("a reference that becomes a GTIN is found as that, and as nothing else", ({ model }) => {
  const text = "4006381333931";
  const found = () =>
    (["reference", "gtin"] as const).map((member) =>
      model.read((moment) => moment.products({ [member]: text, first: 3 })?.totalCount),
    );
  model.apply(productUpserted({ id: 1, reference: text, gtin: null }));
  assert.equal(found(), [1, 0]);
  model.apply(productUpserted({ id: 1, reference: null, gtin: text }));
  assert.equal(found(), [0, 1]);
  model.apply(productUpserted({ id: 1, reference: text, gtin: text }));
  assert.equal(found(), [1, 1]);
  model.apply(productUpserted({ id: 1, reference: null, gtin: null }));
  assert.equal(found(), [0, 0]);
  assert.equal([...model.store.keys(tables.identifiers)], []);
});

test("categories are listed and filtered by without their descriptions", ({ model }) => {
  const descriptionHtml = "<p>Chairs for everybody.</p>";
  model.apply(
    ...[1, 2, 3].map((id) =>
      categoryUpserted({ id, descriptionHtml, parentId: id === 1 ? null : 1 }),
    ),
    productUpserted({ id: 1, categoryIds: [2] }),
  );
  model.store.refresh();
  assert.not.match(JSON.stringify(model.store.get(tables.categories, 2)), "everybody");
  const states = readsOf(model, "categoryStates", (moment) => {
    assert.is(moment.categories().length, 3);
    for (const categoryId of [1, 2]) {
      assert.is(moment.products({ categoryId, first: 3 })?.totalCount, 1);
    }
  });
  assert.is(states, 0);
  const rows = readsOf(model, "categories", (moment) => {
    for (const categoryId of [1, 2, 3]) moment.products({ categoryId, first: 3 });
  });
  assert.ok(rows <= 3, `${rows}`);
  const detail = model.read((moment) => moment.categoryDetail(2));
  assert.equal(detail, { markdown: "Chairs for everybody." });
});

test.run();
