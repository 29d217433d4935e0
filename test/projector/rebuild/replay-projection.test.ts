import { join } from "node:path";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { projections } from "../../../projections/index.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { toMessage } from "../../../src/events/envelope.ts";
import { openGeneration } from "../../../src/projector/open-generation.ts";
import {
  findProjection,
  replayProjection,
} from "../../../src/projector/rebuild/replay-projection.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore, type Store } from "../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import {
  categoryUpserted,
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { history } from "../../helpers/histories.ts";
import { append, isLiveAt, startProjector } from "../../helpers/projector.ts";
import { markTextData, otherTextData } from "../../helpers/text-data.ts";

const test = suite("rebuild of one projection");

/** A product without further events, so that no row of its price or stock leads to its description. */
const unpriced = (id: number) =>
  productUpserted({ id, price: undefined as never, descriptionHtml: "<p>Rosewood</p>" });

/** Histories of many shops in one log, with dead letters of several kinds. */
const events = [
  ...fc.sample(history, { numRuns: 60, seed: 11 }).flat(),
  categoryUpserted({ id: 900, parentId: 901 }),
  categoryUpserted({ id: 901, parentId: 900 }),
  productPatched({ id: 950, price: { amount: "1.00" } }),
  productUpserted({ id: 951, price: { amount: "1,00", currency: "EUR" } }),
  priceChanged({ productId: 952, price: 7 as never }),
  unpriced(960),
  settingsUpdated({ language: "de" }),
];
const garbage = { ...toMessage(productUpserted()), id: "garbage", body: Buffer.from("{") };

const aLiveModel = async () => {
  const home = temporaryDirectory();
  const log = openJournal({ directory: join(home.path, "journal"), now: Date.now });
  await append(log, ...events);
  await log.append([garbage]);
  const projector = startProjector(join(home.path, "data"), log);
  await projector.until(isLiveAt(events.length + 1));
  await projector.stop();
  const directory = openDataDirectory(join(home.path, "data"));
  return { home, log, directory, live: directory.live() ?? "" };
};

type Model = Awaited<ReturnType<typeof aLiveModel>>;

const build = async ({ log, directory, live }: Model, name: string): Promise<Store> => {
  const generation = openGeneration(directory.createScratch(name));
  const context = {
    eventLog: log,
    rendering: createHtmlRenderer(),
    signal: new AbortController().signal,
  };
  await replayProjection(findProjection(name), live, generation, context);
  return generation.store;
};

test("a replay of any one projection gives the rows of a full replay, byte for byte", async () => {
  const model = await aLiveModel();
  const live = openStore(model.live, { readOnly: true });
  const fullDigest = live.digest();
  assert.ok([...live.keys(tables.deadLetters)].length >= 4);
  assert.is(live.get(tables.products, 960)?.description, "Rosewood");
  // Later events are not in the live generation and wait for the swap.
  await append(model.log, productUpserted({ id: 961 }), settingsUpdated({ language: "fr" }));
  for (const { name } of projections) {
    const store = await build(model, name);
    assert.equal(store.digest(), fullDigest, name);
    assert.equal(store.get(tables.meta, "checkpoint"), live.get(tables.meta, "checkpoint"));
    await store.close();
  }
  await live.close();
  await model.log.close();
  model.home.remove();
});

test("a replay of one projection repairs its own rows and copies those of the others", async () => {
  const model = await aLiveModel();
  const live = openStore(model.live, { readOnly: false });
  const right = live.digest();
  const [id] = live.keys(tables.productCores);
  const [page] = live.keys(tables.pages);
  live.transaction((stored) => {
    stored.remove(tables.productCores, id as number);
    stored.remove(tables.pages, page as number);
    stored.remove(tables.deadLetters, events.length + 1);
    for (const list of [...stored.keys(tables.postingLists)])
      stored.remove(tables.postingLists, list);
  });
  const store = await build(model, "product");
  const digest = store.digest();
  for (const table of [
    "productCores",
    "productTexts",
    "prices",
    "products",
    "postingLists",
    "deadLetters",
  ] as const) {
    assert.is(digest[table], right[table], table);
  }
  assert.is.not(digest.pages, right.pages);
  await store.close();
  await live.close();
  await model.log.close();
  model.home.remove();
});

test("a replay of one projection is rejected when other projections changed too", async () => {
  const model = await aLiveModel();
  const live = openStore(model.live, { readOnly: false });
  live.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    if (!checkpoint) return;
    const versions = checkpoint.projections.replace(/page\.\d+/, "page.0");
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: versions });
  });
  const failed = await build(model, "product").catch((error: Error) => error);
  assert.instance(failed, Error);
  assert.match((failed as Error).message, "other projections changed too");
  const store = await build(model, "page");
  assert.match(store.get(tables.meta, "checkpoint")?.projections ?? "", /page\.[1-9]/);
  await store.close();
  await live.close();
  await model.log.close();
  model.home.remove();
});

test("a replay of one projection is rejected when the text data changed", async () => {
  const model = await aLiveModel();
  await markTextData(model.live, otherTextData);
  const failed = await build(model, "search").catch((error: Error) => error);
  assert.instance(failed, Error);
  assert.match(
    (failed as Error).message,
    /--only search: the text data of Node changed .*icu 1\.0 → /,
  );
  await model.log.close();
  model.home.remove();
});

test.run();
