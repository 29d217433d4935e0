import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { describe, figureAt, formatFigures, measuredSizes } from "../../deploy/capacity.ts";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("deploy/capacity.md");
const page = readFileSync(join(packageRoot, "deploy", "capacity.md"), "utf8");

test("the table has the measured figures of capacity.json", () => {
  assert.ok(page.includes(formatFigures()), formatFigures());
});

test("the calculation on the page is what the command prints", () => {
  const demand = { products: 10_000_000, requests: 100_000 };
  assert.ok(page.includes(describe(demand)), describe(demand));
  const program = join(packageRoot, "deploy", "capacity.ts");
  const printed = execFileSync(process.execPath, ["--import", "tsx", program], {
    cwd: packageRoot,
    encoding: "utf8",
  });
  assert.is(printed, `${describe(demand)}\n`);
});

test("more requests need more cores and machines, more products more disk and time", () => {
  const numbers = (demand: Parameters<typeof describe>[0]) =>
    [
      ...describe(demand).matchAll(
        /^(?:cores for HTTP|machines| {2}disk| {2}first load) +([\d.,]+)/gm,
      ),
    ].map(([, number = ""]) => Number(number.replaceAll(",", "")));
  const base = numbers({ products: 1_000_000, requests: 100_000 });
  const requests = numbers({ products: 1_000_000, requests: 1_000_000 });
  const products = numbers({ products: 10_000_000, requests: 100_000 });
  assert.is(base.length, 4);
  assert.ok(
    requests.every((number, at) => (at < 2 ? number > 3 * (base[at] ?? 0) : number === base[at])),
  );
  assert.ok(
    products.every((number, at) => (at < 2 ? number === base[at] : number > 5 * (base[at] ?? 0))),
  );
});

test("every metric was measured at every size", () => {
  for (const size of measuredSizes) assert.ok(figureAt("lookups", size) > 0);
});

test.run();
