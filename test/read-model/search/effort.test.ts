import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { type TableName, tables } from "../../../src/read-model/schema/tables.ts";
import {
  emptySource,
  idSource,
  mapPayloads,
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

const test = suite<{ model: TestModel }>("cost of a query");

test.before.each((context) => {
  context.model = openModel();
});
test.after.each(({ model }) => model.close());

/** A posting source that counts its reads. */
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

test("posting lists are not walked when the filters leave few products", () => {
  const reads = { all: 0, at: 0 };
  const parts = [2, 3, 5, 7, 11, 13].map((step) => ({
    source: counting(multiplesOf(step), reads),
    weight: 10,
  }));
  const nothing: PostingSource = {
    count: 0,
    all: () => emptyPostings,
    at: (ids) => new Uint32Array(ids.length),
  };
  assert.is(matchRelaxed(parts, [nothing], everything).ids.length, 0);
  assert.is(reads.all, 0);
  assert.ok(reads.at <= parts.length, `${reads.at}`);
  const { ids } = matchRelaxed(parts, [idSource([30, 210, 2_310, 30_031])], everything);
  assert.equal([...ids], [210, 2_310]);
  assert.is(reads.all, 0);
});

test("large filters are not walked for rare words", () => {
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

test("a walk of the words and a walk of the filters find the same products", () => {
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

/** Gives products the impact of a term that names them. */
const named = (source: PostingSource): PostingSource => mapPayloads(source, () => 100);

/** Twelve parts that many of 100,000 products match, the first ones fewer. */
const common = () => {
  const lookups = { ids: 0 };
  const parts = Array.from({ length: 12 }, (_, part) => {
    const ids = Array.from({ length: 100_000 }, (_, at) => at + 1);
    const source = named(idSource(ids.filter((id) => (id * (part + 7)) % 23 < 2 + part * 2)));
    const at: PostingSource["at"] = (wantedId) => {
      lookups.ids += wantedId.length;
      return source.at(wantedId);
    };
    return { source: { ...source, at }, weight: 16 };
  });
  return { looks: lookups, parts };
};

/** Removes the parts that a first page ignored. */
const only = (parts: ReturnType<typeof common>["parts"], counting: ReadonlySet<number>) =>
  parts.map((part, at) => (counting.has(at) ? part : { source: emptySource, weight: 0 }));

const maxLookups = 240_000;

test("relaxed matching does at most a fixed number of lookups, with or without filters", () => {
  const half = idSource(Array.from({ length: 50_000 }, (_, at) => at * 2 + 2));
  const others = idSource(Array.from({ length: 7_000 }, (_, at) => at + 93_001));
  for (const filters of [[], [half], [others], [{ ...half, count: Number.POSITIVE_INFINITY }]]) {
    const { looks: lookups, parts } = common();
    const found = matchRelaxed(parts, filters, 100_000);
    assert.ok(found.ids.length > 0);
    assert.ok(lookups.ids <= maxLookups, `${lookups.ids}`);
  }
});

test("of common parts as many count as the lookups allow, and at least one", () => {
  let lookups = 0;
  const parts = Array.from({ length: 12 }, (_, part) => {
    const source = named(multiplesOf(1, 70_000 + part));
    const at: PostingSource["at"] = (wantedId) => {
      lookups += wantedId.length;
      return source.at(wantedId);
    };
    return { source: { ...source, at }, weight: 16 };
  });
  const found = matchRelaxed(parts, [], 100_000);
  assert.ok(found.ids.length > 0);
  assert.is(found.countedIndexes.size, 3);
  assert.ok(lookups <= maxLookups, `${lookups}`);
  const all = [{ source: multiplesOf(1, 300_000), weight: 16 }];
  assert.is(matchRelaxed(all, [], everything).ids.length, 300_000);
});

test("in a small shop all parts count, also those with many or no matches", () => {
  const parts = Array.from({ length: 12 }, (_, part) => ({
    source: { ...multiplesOf(1, 500 + part), count: 1_000_000 + part },
    weight: 16,
  }));
  const unknown = { source: emptySource, weight: 16 };
  const found = matchRelaxed([...parts, unknown], [], 1_000);
  assert.is(found.countedIndexes.size, 13);
  assert.ok(found.ids.length > 0);
});

test("later pages match like the first one, whatever changes in between", () => {
  const { looks: lookups, parts } = common();
  for (const filters of [[], [multiplesOf(3, 30_000)], [multiplesOf(2, 50_000)]]) {
    const first = matchRelaxed(parts, filters, 100_000);
    assert.ok(first.countedIndexes.size > 1 && first.countedIndexes.size < 12);
    lookups.ids = 0;
    const later = matchRelaxedFrom(
      only(parts, first.countedIndexes),
      filters,
      100_000,
      first.minWeight,
    );
    assert.equal(later?.ids, first.ids);
    assert.equal(later?.payloads, first.payloads);
    assert.ok(lookups.ids <= maxLookups, `${lookups.ids}`);
    // Every fourth product is new, with a weight no greater than the others.
    const more = parts.map(({ source, weight }) => {
      const ids = [...source.all().ids];
      const came = ids.filter((id) => id % 4 === 0).map((id) => id + 100_000);
      return { source: named(idSource([...ids, ...came])), weight };
    });
    const expected = matchRelaxedFrom(
      only(more, first.countedIndexes),
      [],
      125_000,
      first.minWeight,
    );
    const without = matchRelaxedFrom(
      only(parts, first.countedIndexes),
      [],
      100_000,
      first.minWeight,
    );
    assert.equal(
      expected?.ids.filter((id) => id <= 100_000),
      without?.ids,
    );
  }
});

test("an invalid later page is rejected before any lookup", () => {
  const { looks: lookups, parts } = common();
  for (const filters of [[], [multiplesOf(1, 90_000)]]) {
    assert.is(matchRelaxedFrom(parts, filters, 100_000, 1), undefined);
    assert.is(matchRelaxedFrom(parts, filters, 100_000, 40), undefined);
    assert.is(lookups.ids, 0);
  }
  assert.ok(matchRelaxedFrom(parts, [multiplesOf(9, 9_000)], 100_000, 1));
  assert.is(matchRelaxedFrom(parts, [], 100_000, 12 * 16 + 1)?.ids.length, 0);
});

test("when the filters exclude the rarest parts, the others count", () => {
  const parts = [100_000, 200_000, 300_000].map((from, part) => ({
    source: idSource(Array.from({ length: 70_000 + part }, (_, at) => from + at)),
    weight: 16,
  }));
  const filters = [idSource(Array.from({ length: 200_000 }, (_, at) => 200_000 + at))];
  const found = matchRelaxed(parts, filters, 500_000);
  assert.is(found.ids.length, 70_001);
  assert.is(found.countedIndexes.has(0), false);
});

test("ranks are scanned once, however many there are", () => {
  const ids = Uint32Array.from({ length: 2_000 }, (_, at) => at + 1);
  const ranks = Uint32Array.from(ids, (id) => id >> 1);
  let lookups = 0;
  const counted = Object.assign(ranks, {
    indexOf(rank: number, from?: number) {
      lookups += 1;
      return Uint32Array.prototype.indexOf.call(ranks, rank, from);
    },
  });
  const { groups } = rankByScore(ids, counted).selectTop(1_000);
  const found = groups.flatMap(({ ids: alike }) => [...alike]);
  assert.equal(found.slice(0, 5), [2_000, 1_998, 1_999, 1_996, 1_997]);
  assert.ok(found.length >= 1_000);
  assert.ok(lookups <= 4, `${lookups}`);
});

/** Counts the rows of a table that a reader reads. */
const readsOf = (
  model: TestModel,
  table: TableName,
  ask: Parameters<TestModel["read"]>[0],
): number => {
  let reads = 0;
  const store = new Proxy(model.store, {
    get(target, name, receiver) {
      if (name !== "get") return Reflect.get(target, name, receiver);
      return ((wantedId, key) => {
        if (wantedId.name === tables[table].name) reads += 1;
        return target.get(wantedId, key);
      }) satisfies Store["get"];
    },
  });
  openReader(store).snapshot(ask);
  return reads;
};

test("category names that match a word are read once per snapshot, however many searches use it", ({
  model,
}) => {
  model.apply(
    ...Array.from({ length: 60 }, (_, at) => categoryUpserted({ id: at + 1, name: `Set ${at}` })),
    ...Array.from({ length: 60 }, (_, at) =>
      productUpserted({ id: at + 1, categoryIds: [at + 1] }),
    ),
  );
  const reads = readsOf(model, "postingLists", (snapshot) => {
    for (const query of ["set", "the set", "set a", "my set", "your set"]) {
      snapshot.products({ query, relax: true, first: 3 });
    }
    assert.is(snapshot.products({ categoryIds: [7], query: "set", first: 3 })?.totalCount, 1);
  });
  assert.ok(reads >= 60 && reads < 120, `${reads}`);
});

/** Counts the rows of a sort index that are walked. */
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
      return ((wantedId, range) => {
        const keys = target.keys(wantedId, range);
        return wantedId.name === tables[table].name ? counted(keys) : keys;
      }) satisfies Store["keys"];
    },
  });
  openReader(store).snapshot(ask);
  return rows;
};

/** 2,000 products, of which the last by name, which cost most, are called Zwatch. */
const applyWatches = (model: TestModel): void => {
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

test("a page from the far end of a sort needs no walk to it", ({ model }) => {
  applyWatches(model);
  const rows = walkedIn(model, "nameOrder", (snapshot) => {
    const page = snapshot.products({ ...watches, sort: "name" });
    assert.equal(
      page?.products.map(({ id }) => id),
      [2_000, 1_999, 1_998],
    );
    assert.is(page?.hasNextPage, true);
  });
  assert.ok(rows <= 250, `${rows}`);
});

test("products are sorted by price and by name without reading each", ({ model }) => {
  applyWatches(model);
  for (const [sort, ids] of [
    ["name", [2_000, 1_999, 1_998]],
    ["price_asc", [1_851, 1_852, 1_853]],
    ["price_desc", [2_000, 1_999, 1_998]],
  ] as const) {
    const reads = readsOf(model, "products", (snapshot) => {
      const page = snapshot.products({ ...watches, sort });
      assert.equal(
        page?.products.map(({ id }) => id),
        [...ids],
        sort,
      );
      const after = page?.cursor(-1) ?? "";
      const rest = snapshot.products({ ...watches, sort, first: 200, after });
      assert.is(rest?.products.length, 147);
      assert.is(rest?.hasPreviousPage, true);
    });
    assert.ok(reads <= 150, `${sort} ${reads}`);
  }
});

test("beyond the end of a list nothing is read", ({ model }) => {
  applyWatches(model);
  for (const sort of ["name", "price_asc", "relevance"] as const) {
    const ask: Parameters<TestModel["read"]>[0] = (snapshot) => {
      const found = snapshot.listing({ query: "zwatch", sort, offset: 150, limit: 10 });
      assert.equal([found.products, found.total], [[], 150]);
    };
    assert.is(walkedIn(model, sort === "name" ? "nameOrder" : "priceOrder", ask), 0);
    assert.is(readsOf(model, "products", ask), 0);
  }
});

test("products with a given GTIN are found without reading each product", ({ model }) => {
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
    const reads = readsOf(model, "products", (snapshot) => {
      const page = snapshot.products({ ...filter, first: 3 });
      assert.is(page?.totalCount, total, JSON.stringify(filter));
    });
    assert.ok(reads <= 3, `${reads}`);
  }
});

test("a reference that becomes a GTIN is found as a GTIN only", ({ model }) => {
  const text = "4006381333931";
  const found = () =>
    (["reference", "gtin"] as const).map((member) =>
      model.read((snapshot) => snapshot.products({ [member]: text, first: 3 })?.totalCount),
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

test("categories are listed and filtered without reading their descriptions", ({ model }) => {
  const descriptionHtml = "<p>Chairs for everybody.</p>";
  model.apply(
    ...[1, 2, 3].map((id) =>
      categoryUpserted({ id, descriptionHtml, parentId: id === 1 ? null : 1 }),
    ),
    productUpserted({ id: 1, categoryIds: [2] }),
  );
  model.store.refresh();
  assert.not.match(JSON.stringify(model.store.get(tables.categories, 2)), "everybody");
  const states = readsOf(model, "categoryStates", (snapshot) => {
    assert.is(snapshot.categories().length, 3);
    for (const id of [1, 2]) {
      assert.is(snapshot.products({ categoryIds: [id], first: 3 })?.totalCount, 1);
    }
  });
  assert.is(states, 0);
  const rows = readsOf(model, "categories", (snapshot) => {
    for (const id of [1, 2, 3]) snapshot.products({ categoryIds: [id], first: 3 });
  });
  assert.ok(rows <= 3, `${rows}`);
  const detail = model.read((snapshot) => snapshot.categoryDetail(2));
  const text = "Chairs for everybody.";
  assert.equal(detail, { description: text, markdown: text });
});

test.run();
