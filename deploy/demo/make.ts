/** Writes the demo shop's events: `tsx deploy/demo/make.ts SOURCE.ndjson.gz > deploy/demo/shop.ndjson`. */
import { edits, stays } from "./edits.ts";
import { openLife } from "./life.ts";
import { opening } from "./opening.ts";
import { seasons } from "./seasons.ts";
import { readSource } from "./source.ts";
import { createTeller } from "./teller.ts";
import { trade } from "./trade.ts";

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: tsx deploy/demo/make.ts SOURCE.ndjson.gz > deploy/demo/shop.ndjson");
  process.exit(2);
}

const source = readSource(path);
const teller = createTeller();
const first = [...opening(source, teller)];
const life = openLife(source, teller);
const happenings = [...trade(life, stays), ...edits(life), ...seasons(life)].sort(
  (a, b) => a.time - b.time,
);
const then = happenings.map(({ time, tell }) => tell(time));
for (const event of [...first, ...then]) process.stdout.write(`${JSON.stringify(event)}\n`);
