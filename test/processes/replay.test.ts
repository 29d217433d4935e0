import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { startVitrine } from "../helpers/vitrine.ts";

const test = suite("replay under load");
const events = 100_000;

interface Figures {
  readonly checkpoint: number;
  readonly end: number;
  readonly events: number;
  readonly seconds: number;
}

const gauge = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, "m").exec(text)?.[1]);

const figuresOf = ({ text }: { readonly text: string }): Figures => ({
  checkpoint: gauge(text, "vitrine_checkpoint_sequence"),
  end: gauge(text, "vitrine_log_last_sequence"),
  events: gauge(text, "vitrine_lag_events"),
  seconds: gauge(text, "vitrine_lag_seconds"),
});

test("the service answers during a replay of 100,000 events, and reports the correct lag", async () => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  const directory = join(home.path, "journal");
  const log = openJournal({ directory, now: Date.now });
  await append(log, settingsUpdated(), productUpserted({ id: 5_000, name: "Always there" }));
  const service = await startVitrine(["--events", `journal:${directory}`, "--max-lag", "1"], {
    dataDir,
  });
  await service.ready();

  const life = [...shopAtWork(500, events)];
  const appending = (async () => {
    for (let at = 0; at < life.length; at += 5_000)
      await append(log, ...life.slice(at, at + 5_000));
  })();
  const seen: Figures[] = [];
  const end = performance.now() + 120_000;
  for (let isDone = false; !isDone; ) {
    const requested = await service.graphql<{ product: { product: { name: string } } }>(
      "{ product(id: 5000) { product { name } } products(first: 5) { totalCount } }",
    );
    assert.is(requested.status, 200);
    assert.is(requested.data.product.product.name, "Always there");
    const figures = figuresOf(await service.ops("/metrics"));
    assert.is(figures.events, figures.end - figures.checkpoint);
    seen.push(figures);
    isDone = figures.checkpoint === events + 2;
    assert.ok(isDone || performance.now() < end, JSON.stringify(figures));
  }
  await appending;
  const behind = seen.filter((figures) => figures.events > 0);
  assert.ok(behind.length > 20, `${behind.length} answers before the last event was applied`);
  assert.ok(
    behind.some((figures) => figures.events > 1_000),
    "no lag was reported",
  );
  assert.ok(
    behind.some((figures) => figures.seconds > 0),
    "no lag in seconds",
  );
  await service.ready();
  const { events: left, seconds } = figuresOf(await service.ops("/metrics"));
  assert.equal([left, seconds], [0, 0]);
  assert.is((await service.stop()).code, 0);
  await log.close();
  home.remove();
});

test.run();
