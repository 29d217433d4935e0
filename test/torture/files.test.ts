import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FileFormat, readItems } from "../../src/connectors/files/formats.ts";
import { type FileItem, UnusableFileError } from "../../src/connectors/files/items.ts";
import { decode } from "../../src/events/decode.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { translateItems } from "../../src/gateway/import/translate-items.ts";
import { createTranslator } from "../../src/gateway/translators.ts";
import { inChunks } from "../connectors/files/read.ts";
import { openConnectionState } from "../helpers/connection-state.ts";
import { again, amount, chanceOf, reportDone } from "../helpers/effort.ts";
import { goodFiles, hostileFile, type ShopFile } from "./files.ts";

const test = suite("hostile files");
const taken = "2026-11-01T12:00:00.000Z";
const total = amount(1_000);

/** Reads all items of a file of a connection; those before its fault when it is unusable. */
const read = async (
  { format, settings }: ShopFile,
  bytes: Uint8Array,
  chunkBytes: number,
): Promise<{ readonly items: readonly FileItem[]; readonly unusable: boolean }> => {
  const items: FileItem[] = [];
  const { topicOf = () => undefined } = createTranslator(settings);
  const { currency, timeZone } = settings;
  const context = { taken, columns: new Map<string, string>(), currency, timeZone };
  try {
    for await (const item of readItems(format, () => inChunks(bytes, chunkBytes), context, topicOf))
      items.push(item);
    return { items, unusable: false };
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    return { items, unusable: true };
  }
};

const assertWellFormed = (item: FileItem): void => {
  assert.ok(Number.isSafeInteger(item.line) && item.line > 0, JSON.stringify(item.line));
  if ("reason" in item) assert.type(item.reason, "string");
  else assert.type(item.topic, "string");
};

/** Translates items as an import does. @returns how many events they became */
const translate = (items: readonly FileItem[], { settings }: ShopFile): number => {
  const { state } = openConnectionState();
  const context = {
    ...{ name: "feed", source: "/connections/feed", translator: createTranslator(settings) },
    ...{ taken, isRepeating: false },
  };
  const openState = <T>() => state as never as T & never;
  const { events, bad } = translateItems(items, openState, context, new Set());
  for (const { reason } of bad) assert.not.match(reason, "a bug of Vitrine");
  for (const event of events) {
    const { body, headers } = toMessage(event);
    const decoded = decode({ body, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
    assert.ok(decoded.ok, `${JSON.stringify(decoded)} ${JSON.stringify(event).slice(0, 2_000)}`);
  }
  return events.length;
};

test("each good file gives events", async () => {
  for (const file of goodFiles) {
    const { items, unusable } = await read(file, Buffer.from(file.content), 100);
    assert.not(unusable);
    assert.ok(translate(items, file) > 1, JSON.stringify(items));
  }
});

test(`${total} hostile files: each gives items or is unusable, no item meets a bug, and each event is valid`, async () => {
  const chance = chanceOf("files");
  const met = new Map<FileFormat, { usable: number; unusable: number; events: number }>();
  for (let at = 0; at < total; at += 1) {
    const file = chance.pick(goodFiles);
    const bytes = hostileFile(file, chance);
    const sum = met.get(file.format) ?? { usable: 0, unusable: 0, events: 0 };
    met.set(file.format, sum);
    try {
      const { items, unusable } = await read(file, bytes, 1 + chance.below(70_000));
      items.forEach(assertWellFormed);
      sum[unusable ? "unusable" : "usable"] += 1;
      sum.events += translate(items, file);
    } catch (error) {
      const shown = JSON.stringify(bytes.toString("latin1").slice(0, 3_000));
      const hint = again("test/torture/files.test.ts");
      throw new Error(`${error}\nfile ${at} of ${file.format}: ${shown}\n${hint}`, {
        cause: error,
      });
    }
    reportDone(at + 1);
  }
  assert.is(met.size, 4);
  for (const [format, { usable, unusable, events }] of met)
    assert.ok(
      usable > 0 && unusable > 0 && events > 0,
      `${format}: ${usable} ${unusable} ${events}`,
    );
});

test.run();
