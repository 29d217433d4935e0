import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { effort } from "../helpers/effort.ts";
import { priceChanged, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { type RunningVitrine, run, startVitrine } from "../helpers/vitrine.ts";

const test = suite("swap under load");

/** The longest form takes minutes: VITRINE_SWAP_EVENTS=200000. */
const events = Number(process.env.VITRINE_SWAP_EVENTS ?? effort(1_000, 6_000));
const products = 400;
const changed = 3;

/** One batch that sets the shop's name and the prices of a few products to the same number. */
const batch = (number: number) => {
  const time = new Date(Date.UTC(2027, 0, 1) + number * 1_000).toISOString();
  return [
    settingsUpdated({ name: `Shop ${number}` }, { time }),
    ...Array.from({ length: changed }, (_, at) =>
      priceChanged(
        { productId: at + 1, price: { amount: `${number}.00`, currency: "EUR" } },
        { time },
      ),
    ),
  ];
};

interface Seen {
  readonly before: { readonly name: string; readonly productCount: number };
  readonly after: { readonly name: string; readonly productCount: number };
  readonly all: { readonly totalCount: number };
}

const query = `{
  before: shop { name productCount }
  all: products(first: 100) { totalCount nodes { id price { amount } } }
  after: shop { name productCount }
}`;

/** Pause in ms of a client after each request, and of the shop after each batch, because the rebuilds need the processors. */
const pauseMs = effort(50, 10);

/** Sends requests, each over a new connection to any worker, until it is stopped. */
const askOn = (service: RunningVitrine) => {
  const ended = new AbortController();
  const faults: string[] = [];
  let answers = 0;
  let newest = 0;
  const one = async (): Promise<void> => {
    const floor = newest;
    const { status, data } = await service.graphql<Seen>(query);
    if (status !== 200) faults.push(`status ${status}`);
    const number = Number(data.before.name.slice("Shop ".length));
    const counts = [data.before.productCount, data.after.productCount, data.all.totalCount];
    if (data.before.name !== data.after.name) faults.push("a mixed answer");
    if (new Set(counts).size > 1) faults.push(`a mixed answer: ${counts}`);
    if (number < floor) faults.push(`${number} after ${floor}`);
    newest = Math.max(newest, number);
    answers += 1;
  };
  const client = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await one().catch((error: Error) => faults.push(`a failed request: ${error.message}`));
      await delay(pauseMs);
    }
  };
  const clients = Promise.all([client(), client(), client()]);
  return {
    async end() {
      ended.abort();
      await clients;
      return { faults, answers, newest };
    },
  };
};

test("a client sees no failed, mixed or older answer while rebuilds swap and rollbacks happen", async () => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const life = [...batch(0), ...shopAtWork(products, events)];
  for (let at = 0; at < life.length; at += 5_000) await append(log, ...life.slice(at, at + 5_000));
  const service = await startVitrine(["--workers", "2"], { dataDir });
  await service.ready(120);
  let number = 1;
  const ended = new AbortController();
  const publishing = (async () => {
    for (; !ended.signal.aborted; number += 1) {
      await append(log, ...batch(number));
      await delay(pauseMs);
    }
  })();
  const asking = askOn(service);
  for (const command of ["rebuild", "rollback", "rebuild"]) {
    const { code, stderr } = await run([command, "--data-dir", dataDir]);
    assert.is(code, 0, stderr);
  }
  ended.abort();
  await publishing;
  const { faults, answers, newest } = await asking.end();
  assert.equal([...new Set(faults)].slice(0, 5), []);
  assert.ok(answers > 50 && newest > 10, `${answers} answers, newest ${newest}`);
  const { previous, live } = openDataDirectory(dataDir);
  assert.match(`${live()} ${previous()}`, /0003.*0001/);
  const verified = await run(["verify", "--data-dir", dataDir]);
  assert.is(verified.code, 0, verified.stdout);
  assert.is((await service.stop()).code, 0);
  await log.close();
  home.remove();
});

test.run();
