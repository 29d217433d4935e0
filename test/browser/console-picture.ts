/**
 * Takes the picture of the console for the README: the demo shop with some minutes of events, some of them invalid, a
 * projector that is killed once, and the explanation of a product.
 *   npx tsx test/browser/console-picture.ts [minutes]
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { packageRoot } from "../../src/package-info.ts";
import { startChromium } from "../helpers/chromium.ts";
import { productUpserted, stockChanged } from "../helpers/events.ts";
import { appendRaw } from "../helpers/raw-log.ts";
import { childrenOf, type RunningVitrine, startVitrine, stop } from "../helpers/vitrine.ts";

const minutes = Number(process.argv[2] ?? 5);
const picture = join(packageRoot, "deploy", "console.png");
const product = 1766;
const viewport = { width: 1200, height: 1160 };

const service = await startVitrine(["--demo"]);
await live(service, minutes * 60);
await photograph(service);
await stop(service);
console.log(`made ${picture}`);

async function live({ dataDir, child }: RunningVitrine, seconds: number): Promise<void> {
  const atThird = Math.floor(seconds / 3);
  for (let second = 0; second < seconds; second += 1) {
    const events = Math.round(40 + 30 * Math.sin(second / 20) + 10 * Math.sin(second / 3));
    const stocks = Array.from({ length: events }, (_, at) =>
      stockChanged({ productId: 1 + at, quantity: second }, { time: new Date().toISOString() }),
    );
    const invalid = second % 60 === 30 ? [invalidEvent(second)] : [];
    await appendRaw(dataDir, [...stocks, ...invalid]);
    if (second === atThird) {
      const projector = (await childrenOf(child.pid ?? 0)).get("vitrine projector");
      if (projector) process.kill(projector, "SIGKILL");
    }
    await delay(1_000);
  }
  const late = { time: "2026-01-01T00:00:00Z" };
  await appendRaw(dataDir, [
    stockChanged({ productId: product, quantity: 4 }, { time: new Date().toISOString() }),
    stockChanged({ productId: product, quantity: 7 }, late),
  ]);
  await delay(2_000);
}

/** Builds an invalid event: a price as a number, or a body that is not JSON. */
function invalidEvent(second: number) {
  if (second % 120 === 30) return "price feed: connection reset by peer";
  const event = productUpserted({ id: product });
  return { ...event, data: { ...Object(event.data), price: { amount: 12.9, currency: "USD" } } };
}

async function photograph({ opsUrl }: RunningVitrine): Promise<void> {
  const browser = await startChromium();
  const page = await (await browser.newContext({ viewport, locale: "en-GB" })).newPage();
  await page.goto(`${opsUrl}/#explain/stock/${product}`);
  await page.getByRole("article", { name: "stock" }).waitFor();
  await page.getByRole("article", { name: "Generation 0001" }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Live" }).waitFor();
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: picture });
  await browser.close();
}
