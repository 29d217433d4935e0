/**
 * Keeps a copy of a shop in a file: node mirror.mjs https://agents.shop.example [kinds] [file]. It needs Node 20 and no package.
 * `kinds` are divided by commas; "" is all eight. The file always has the shop of one position, and a new start goes on from there.
 * `lines` has the record of each line: lines["price/1300.2"], else that of the product, lines["price/1300"].
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const [service, kinds = "", file = "mirror.json"] = process.argv.slice(2);
const known = (kinds || "shop,category,page,carrier,product,variant,price,stock").split(",");

const begin = (next) => ({ kinds, position: null, as_of: null, next, lines: {} });
const start = `/agent/changes?since=start${kinds && `&kinds=${kinds}`}`;
const stored = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
let mirror = stored?.kinds === kinds ? stored : begin(start);
let [failures, startOvers, changed] = [0, 0, 0];

// Doubles from one second to 60, and takes a random part.
const backOff = (attempt) => delay(Math.random() * Math.min(60_000, 1_000 * 2 ** attempt));

const stop = (message) => {
  console.error(message);
  process.exit(1);
};

// Kinds that are not known here are ignored. The file is written at a position only, so that nothing between two states is shown.
const apply = ({ position, as_of, next, changes }) => {
  for (const { kind, id, op, record } of changes.filter((each) => known.includes(each.kind))) {
    if (op === "upsert") mirror.lines[`${kind}/${id}`] = record;
    if (op === "remove") delete mirror.lines[`${kind}/${id}`];
    changed += 1;
  }
  Object.assign(mirror, { position, as_of, next });
  if (position === null) return;
  writeFileSync(`${file}.new`, JSON.stringify(mirror));
  renameSync(`${file}.new`, file);
  console.log(`${position}: ${changed} changes, ${Object.keys(mirror.lines).length} lines`);
  [startOvers, changed] = [0, 0];
};

const ask = async () => {
  const wait = mirror.position === null ? "" : "&wait=25";
  const signal = AbortSignal.timeout(40_000);
  const response = await fetch(`${service}${mirror.next}${wait}`, { signal });
  const [{ status, headers }, text] = [response, await response.text()];
  if (status === 200) return apply(JSON.parse(text));
  if (status === 400 || status === 403) return stop(`${status} ${text}`);
  if (status === 412 || status === 429 || status === 503)
    return delay((Number(headers.get("retry-after")) || 1) * 1_000 * (1 + Math.random()));
  if (status !== 410) throw new Error(`status ${status}`);
  if (startOvers === 3) return stop("The shop began anew four times in a row: ask its operator.");
  await backOff(startOvers++);
  [mirror, changed] = [begin(JSON.parse(text).error.next), 0];
};

for (;;) {
  try {
    await ask();
    failures = 0;
  } catch (error) {
    console.error(`${error.message}; asking the same address again`);
    await backOff(failures++);
  }
}
