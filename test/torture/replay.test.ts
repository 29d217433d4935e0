import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEventLog } from "../../src/event-log/open.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { amount, isLong, reportDone, reportMeasured } from "../helpers/effort.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { startNats } from "../helpers/nats.ts";
import { append, mustCountEach } from "../helpers/projector.ts";
import { startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("first replay");
const events = amount(10_000);
const products = 1_000;
/**
 * Minimum events a second, from the start of the service to its readiness; few events take no longer than the
 * start itself.
 */
const least = isLong ? 30_000 : 0;

/** Yields slices of this size until the end. */
function* inSlices(all: Iterator<CloudEvent>, size: number): Generator<readonly CloudEvent[]> {
  for (;;) {
    const slice: CloudEvent[] = [];
    while (slice.length < size) {
      const { done, value } = all.next();
      if (done) break;
      slice.push(value);
    }
    if (slice.length === 0) return;
    yield slice;
  }
}

test(`a first replay of ${events} events is fast and complete`, async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  await append(log, settingsUpdated());
  let replayed = 1;
  for (const slice of inSlices(shopAtWork(products, events - 1), 10_000)) {
    await append(log, ...slice);
    replayed += slice.length;
    reportDone(replayed);
  }
  const begun = performance.now();
  const service = await startVitrine(["--events", nats.url]);
  await until(
    () => service.ops("/readyz"),
    ({ status }) => status === 200,
    60 + events / 1_000,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const { data } = await service.graphql<{ shop: { productCount: number } }>(
    "{ shop { productCount } }",
  );
  await service.stop();
  await log.close();
  await nats.remove();
  assert.is(data.shop.productCount, Math.min(products, events - 1));
  await mustCountEach(service.dataDir, events);
  const figures = `${events} events in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} a second`;
  reportMeasured(figures);
  assert.ok(events / seconds >= least, figures);
});

test.run();
