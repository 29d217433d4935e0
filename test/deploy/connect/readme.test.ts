/** The settings and commands of the README's section about platforms. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readConnections } from "../../../src/gateway/configuration.ts";
import { packageRoot } from "../../../src/package-info.ts";
import { published } from "../../connectors/commercetools/bodies.ts";
import { productBody } from "../../connectors/shopify/bodies.ts";
import { connectionsIn, type Home, openHome, readBlocks, runCommands } from "./guides.ts";

const test = suite("README.md: From your platform");

const readSection = (): string => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  return readme.split("\n## From your platform\n")[1]?.split("\n## ")[0] ?? "";
};

const section = readSection();

test("the example of a file of connections is a valid one", () => {
  const { connections } = openHome(connectionsIn(section));
  const platforms = readConnections(connections).map(({ settings }) => settings.platform);
  assert.equal(platforms, ["shopify", "woocommerce", "commercetools", "files"]);
});

/** Writes the files that are no exports of a shop system. */
const writeFiles = ({ directory }: Home): void => {
  const products = JSON.stringify({ products: [productBody()] });
  writeFileSync(join(directory, "products.json"), products);
  writeFileSync(join(directory, "messages.ndjson"), JSON.stringify(published(1)));
};

test("the line of each platform runs", async () => {
  const home = openHome(connectionsIn(section));
  writeFiles(home);
  const lines = readBlocks(section)
    .filter(({ info }) => info === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.includes("vitrine import"));
  assert.is(lines.length, 4);
  for (const line of lines) {
    const output = await runCommands(line.replace("npx ", ""), home);
    assert.match(output, /^published [1-9]/m, line);
  }
});

test.run();
