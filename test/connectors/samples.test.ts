import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { StateReader } from "../../src/connectors/delivery.ts";
import { decode } from "../../src/events/decode.ts";
import { type CloudEvent, toMessage } from "../../src/events/envelope.ts";
import type { WebhookSettings } from "../../src/gateway/configuration.ts";
import { createTranslator } from "../../src/gateway/translators.ts";
import { type Answer, openConnection } from "../helpers/connection-state.ts";
import { ownSamples, readSamples, type Sample, topicOfDelivery } from "./change-events.ts";

const test = suite("samples of deliveries");

/** Gzipped NDJSON of payloads of real platforms, which the project may not contain. */
const file = process.env["VITRINE_CHANGE_EVENTS"] ?? "";

const shop = {
  ...{ url: "https://shop.example", currency: "EUR", language: "en", timeZone: "Europe/Berlin" },
  categoryUrl: "https://shop.example/c/{id}",
};

const connections: Readonly<Record<string, WebhookSettings>> = {
  shopify: { platform: "shopify", ...shop, locations: 1 },
  woocommerce: { platform: "woocommerce", ...shop },
  commercetools: {
    platform: "commercetools",
    ...{ ...shop, productUrl: "https://shop.example/p/{id}" },
  },
};

/** Delivers a sample to a new connection, so that no outcome depends on the samples before. */
const deliver = (sample: Sample, settings: WebhookSettings): Answer => {
  const { translate } = createTranslator(settings);
  const connection = openConnection(
    (delivery, _, state: StateReader<unknown>) =>
      translate(delivery, <T>() => state as StateReader<T>),
    settings,
  );
  return connection.deliver(topicOfDelivery(sample), "null", { body: sample.payload });
};

const assertDecodes = (event: CloudEvent): void => {
  const { body, headers } = toMessage(event);
  const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
  assert.ok(decoded.ok, `${JSON.stringify(decoded)} ${JSON.stringify(event)}`);
};

/** Names an outcome: what was published, or why nothing was. */
const nameOutcome = (source: string, answer: Answer): string => {
  if (answer.outcome !== "prepared") return `${source}: ${answer.outcome}: ${answer.reason}`;
  const leftOut = [...answer.leftOut].map(([member, times]) => `${times} ${member}`).join(", ");
  const published = `${source}: ${answer.events.length} events`;
  return leftOut === "" ? published : `${published} without ${leftOut}`;
};

/** Counts the outcomes of all samples of the three platforms. */
const countOutcomes = (samples: readonly Sample[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const sample of samples) {
    const settings = connections[sample.source];
    if (!settings) continue;
    const answer = deliver(sample, settings);
    if (answer.outcome === "prepared") answer.events.forEach(assertDecodes);
    const outcome = nameOutcome(sample.source, answer);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

const ofOwnSamples: Readonly<Record<string, number>> = {
  "shopify: 4 events": 1,
  "shopify: 3 events without 1 variants": 1,
  "shopify: 2 events": 1,
  "shopify: refused: handle must be the product's handle, which is a part of its address": 1,
  "shopify: 1 events": 1,
  "shopify: 0 events": 3,
  "shopify: refused: updated_at must be a time with an offset": 1,
  "shopify: ignored: a topic without goods": 2,
  "woocommerce: 3 events": 2,
  "woocommerce: 2 events": 2,
  "woocommerce: refused: the body must be a JSON object": 1,
  "woocommerce: refused: id must be the id of a product, variation or category": 1,
  "woocommerce: refused: name must be the name of the product": 1,
  "woocommerce: 1 events": 2,
  "woocommerce: ignored: a topic without goods": 1,
  "commercetools: 1 events": 3,
  "commercetools: refused: productProjection.name must be the product's name": 1,
  "commercetools: 0 events": 2,
  "commercetools: ignored: a change without its product": 1,
  "commercetools: ignored: a message without goods": 1,
  "commercetools: refused: the body must be a message of commercetools, or have one in an envelope": 2,
};

/** Outcomes of the 362 payloads of the three platforms in the file of 737. */
const ofFile: Readonly<Record<string, number>> = {
  "shopify: 3 events without 1 options, 4 variants": 1,
  "shopify: 3 events without 2 options, 10 variants": 1,
  "shopify: 3 events without 1 options, 3 variants": 1,
  "shopify: ignored: a topic without goods": 64,
  "shopify: 0 events": 7,
  "shopify: 3 events": 1,
  "shopify: 4 events": 2,
  "shopify: 1 events": 1,
  "woocommerce: 4 events": 4,
  "woocommerce: 3 events": 1,
  "woocommerce: refused: the body must be a JSON object": 3,
  "woocommerce: refused: id must be the id of a product, variation or category": 3,
  "woocommerce: refused: name must be the name of the product": 4,
  "woocommerce: 1 events": 4,
  "woocommerce: ignored: a topic without goods": 18,
  "commercetools: refused: the body must be a message of commercetools, or have one in an envelope": 211,
  "commercetools: ignored: a message without goods": 32,
  "commercetools: refused: productProjection.name must be the product's name": 1,
  "commercetools: ignored: a change without its product": 2,
  "commercetools: 1 events": 1,
};

const claim = "no sample ends a translator, each outcome is as listed, and each event is valid";

test(`Contract 10: Translation 3 ${claim}`, () => {
  assert.equal(countOutcomes(ownSamples), ofOwnSamples);
  if (file === "")
    console.log("\nVITRINE_CHANGE_EVENTS names no file: only the project's samples were used");
});

if (file !== "") {
  test(`the same for the payloads of real platforms in ${file}`, () => {
    assert.equal(countOutcomes(readSamples(file)), ofFile);
  });
}

test.run();
