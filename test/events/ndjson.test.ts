import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import { messageIdOf } from "../../src/events/envelope.ts";
import { maxBodyBytes } from "../../src/events/message-content.ts";
import {
  readEventFile,
  readLineAt,
  type ValidatedLine,
  validateNdjson,
} from "../../src/events/ndjson.ts";
import { productDeleted, productUpserted, tokenRevoked } from "../helpers/events.ts";

const test = suite("event files");
const now = Date.UTC(2026, 9, 2);
const one = JSON.stringify(productUpserted({ name: "Tasse für Tee 🍵" }));
const two = JSON.stringify(productDeleted(2));

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function check(text: string, size = 1 << 16): Promise<readonly ValidatedLine[]> {
  const lines: ValidatedLine[] = [];
  for await (const line of validateNdjson(pieces(Buffer.from(text), size), now)) lines.push(line);
  return lines;
}

const outcomes = (lines: readonly ValidatedLine[]) =>
  lines.map((line) => `${line.line} ${line.ok ? "ok" : line.rejection.code}`);

test("a valid line gives a message to append, with the line's own bytes as the body", async () => {
  const [line] = await check(one);
  assert.ok(line?.ok);
  assert.is(line.message.subject, "shop.product.1");
  assert.is(line.message.id, messageIdOf(JSON.parse(one)));
  assert.is(line.message.headers["content-type"], "application/cloudevents+json");
  assert.is(Buffer.from(line.message.body).toString(), one);
  assert.is(line.event.type, "shop.product.upserted");
});

test("the label of an agent is base64url-encoded in its subject", async () => {
  const [line] = await check(JSON.stringify(tokenRevoked("a b.c>")));
  assert.is(
    line?.ok && line.message.subject,
    `shop.agent.${Buffer.from("a b.c>").toString("base64url")}`,
  );
});

test("a byte order mark, CRLF, blank lines and a missing last line end are accepted", async () => {
  const lines = await check(`\uFEFF${one}\r\n\r\n \n${two}`);
  assert.equal(outcomes(lines), ["1 ok", "4 ok"]);
  assert.is(lines[0]?.ok && Buffer.from(lines[0].message.body).toString(), one);
  assert.equal(outcomes(await check("")), []);
  assert.equal(outcomes(await check("\n")), []);
});

test("each invalid line is reported, and reading goes on", async () => {
  assert.equal(outcomes(await check(`nonsense\n${one}\n{}\n${two}\n`)), [
    "1 not_json",
    "2 ok",
    "3 envelope",
    "4 ok",
  ]);
});

test("the result does not depend on how the bytes are cut", async () => {
  const text = `${one}\r\n\r\n${two}\n{}`;
  const expected = await check(text);
  for (const size of [1, 2, 7, 64]) assert.equal(await check(text, size), expected);
});

test("a time in the future is replaced by the given time", async () => {
  const [line] = await check(JSON.stringify(productUpserted({}, { time: "2036-01-01T00:00:00Z" })));
  assert.is(line?.ok && line.event.time, now);
});

test("a line over the limit is rejected without holding it in memory, and reading goes on", async () => {
  async function* endless(): AsyncGenerator<string> {
    yield `${one}\n`;
    const mebibyte = "x".repeat(maxBodyBytes);
    for (let count = 0; count < 200; count += 1) yield mebibyte;
    yield `\n${two}`;
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines: string[] = [];
  for await (const line of validateNdjson(endless(), now)) {
    lines.push(...outcomes([line]));
    assert.ok(process.memoryUsage().arrayBuffers - before < 100 * maxBodyBytes);
  }
  assert.equal(lines, ["1 ok", "2 too_large", "3 ok"]);
});

test("a line of exactly the limit before CRLF is accepted, and one byte more rejected", async () => {
  const full = one.padEnd(one.length + maxBodyBytes - Buffer.byteLength(one));
  assert.equal(outcomes(await check(`${full}\r\n${full} \r\n`)), ["1 ok", "2 too_large"]);
});

test("a file is read, and an unreadable file is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-"));
  const path = join(folder, "events.ndjson");
  await writeFile(path, `${one}\n${two}\n`);
  const lines = async (path: string) => {
    const all: ValidatedLine[] = [];
    for await (const line of validateNdjson(readEventFile(path), now)) all.push(line);
    return outcomes(all);
  };
  assert.equal(await lines(path), ["1 ok", "2 ok"]);
  const thrown = await lines(join(folder, "none")).catch((error: unknown) => error);
  assert.ok(thrown instanceof VitrineError && thrown.code === "usage");
  await rm(folder, { recursive: true });
});

test("a line can be read again from the byte where it begins", async () => {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const path = join(directory, "events.ndjson");
  const events = [1, 2, 3].map((id) =>
    JSON.stringify(
      productUpserted({ id, name: "é".repeat(400), descriptionHtml: "é".repeat(40_000) }),
    ),
  );
  await writeFile(path, `\ufeff${events[0]}\r\n\n${events[1]}\n${events[2]}`);
  const lines: ValidatedLine[] = [];
  for await (const line of validateNdjson(readEventFile(path), Date.now())) lines.push(line);
  assert.is(lines.length, 3);
  for (const [at, line] of lines.entries()) {
    assert.ok(line.ok);
    assert.is(`${await readLineAt(path, line.start)}`, events[at]);
  }
  await rm(directory, { recursive: true });
});

test.run();
