/** The settings and commands of the pages of `deploy/connect`. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readConnections } from "../../../src/gateway/configuration.ts";
import { createWebhooks } from "../../../src/gateway/webhooks.ts";
import { installOnDebian, isExecutable } from "../../helpers/debian.ts";
import { readEvents } from "../../helpers/gateway.ts";
import {
  blocksOf,
  connectionsIn,
  guides,
  type Home,
  openHome,
  pages,
  readBlocks,
  readPage,
  runCommands,
} from "./guides.ts";
import { type StandInPlatforms, startPlatforms, tokens } from "./stand-in-platforms.ts";

const test = suite<{ platforms: StandInPlatforms }>("deploy/connect");

test.before(async (context) => {
  if (!["/usr/bin/jq", "/usr/local/bin/jq"].some(isExecutable)) installOnDebian("jq");
  context.platforms = await startPlatforms();
});
test.after(({ platforms }) => platforms.close());

/** What the log has after the commands of a guide. */
const expected: Readonly<Record<string, readonly string[]>> = {
  "shopify.md": ["product/7", "product/8", "stock/7/501", "stock/7/502", "stock/8/601"],
  "woocommerce.md": ["product/7", "product/8", "variant/8/501", "stock/8/501", "category/3"],
  "commercetools.md": ["stock", "category", "product"],
  "files.md": ["stock", "category", "product"],
};

for (const guide of guides) {
  test(`${guide}: its commands run with its file of connections`, async ({ platforms }) => {
    const home = openHome(connectionsIn(readPage(guide)), {
      ...tokens,
      CT_API: `${platforms.url}/shop`,
    });
    await runCommands(withPlatforms(blocksOf(guide, "sh").join("\n"), platforms), home);
    const subjects = new Set((await readEvents(home.dataDir)).map(({ subject = "" }) => subject));
    for (const start of expected[guide] ?? ["no list of what to expect"])
      assert.ok(
        [...subjects].some((subject) => subject.startsWith(start)),
        `${start}: ${[...subjects].join(" ")}`,
      );
    await mustHaveProductsAndStock(home);
  });
}

/** Puts the stand-in in place of the addresses of the platforms. */
const withPlatforms = (commands: string, { url }: StandInPlatforms): string =>
  commands.replaceAll(/https:\/\/(my-shop\.myshopify\.com|shop\.example)(?=\/)/g, url);

const mustHaveProductsAndStock = async (home: Home): Promise<void> => {
  const report = JSON.parse(await runCommands("vitrine connections --json", home));
  const missing: readonly string[] = report.connections.flatMap(
    (connection: { missing: readonly { what: string }[] }) =>
      connection.missing.map(({ what }) => what),
  );
  assert.equal(
    missing.filter((what) => /^no (product|stock)|came from a file/.test(what)),
    [],
  );
};

test("each example of a file of connections is a valid one", () => {
  for (const page of pages) {
    const connections = connectionsIn(readPage(page));
    const { connections: file } = openHome(connections);
    assert.equal(
      readConnections(file).map(({ name }) => name),
      Object.keys(connections),
    );
    assert.ok(Object.keys(connections).length > 0);
  }
});

test("every block of JSON is JSON, and every block is of a kind that a test reads", () => {
  const blocks = pages.flatMap((page) => readBlocks(readPage(page)));
  const kinds = ["sh", "sh not-run", "json", "toml", "nginx", "caddyfile", "js"];
  for (const { info, text } of blocks) {
    assert.ok(kinds.includes(info), info);
    if (info === "json") JSON.parse(text);
    if (info === "sh not-run") assert.match(text, /^# needs (systemd|cron)\n/);
  }
});

test("the topics of the guides are those that the gateway stores", () => {
  for (const [page, name] of [
    ["shopify.md", "main"],
    ["woocommerce.md", "woo"],
    ["commercetools.md", "ct"],
  ] as const) {
    const [entry] = readConnections(openHome(connectionsIn(readPage(page))).connections);
    assert.is(entry?.name, name);
    if (!entry || entry.settings.platform === "files") throw new Error(page);
    const { topics } = createWebhooks(entry.settings);
    assert.equal(
      topicsIn(page).filter((topic) => !topics.has(topic)),
      [],
      page,
    );
  }
});

/** Reads the topics that a guide subscribes to. */
const topicsIn = (page: string): readonly string[] => {
  const [subscription = ""] = page === "commercetools.md" ? blocksOf(page, "json").slice(1) : [];
  const types = [...subscription.matchAll(/"([A-Z]\w+)"/g)].map(([, type = ""]) => type);
  const text = readPage(page);
  const others = [
    ...text.matchAll(/"((?:products|inventory_\w+|shop)\/[a-z]+)"|\(`(product\.[a-z]+)`\)/g),
  ];
  const topics = [
    ...types.filter((type) => !["EventBridge", "Platform"].includes(type)),
    ...others.map(([, quoted, named]) => quoted ?? named ?? ""),
  ];
  assert.ok(topics.length > 3, page);
  return topics;
};

test.run();
