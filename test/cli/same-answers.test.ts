import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { startNats } from "../helpers/nats.ts";
import { runHere } from "../helpers/run-here.ts";
import { type RunningVitrine, startVitrine } from "../helpers/vitrine.ts";

const test = suite("answers after a rebuild");

/** One of sixteen products of the demo shop, and all else of it. */
const readDemo = (): string =>
  readFileSync(join(packageRoot, "deploy", "demo", "shop.ndjson"), "utf8")
    .split(/(?<=\n)/)
    .filter((line) => {
      const [, id] = /"subject":"(?:product|variant|price|stock)\/(\d+)[/"]/.exec(line) ?? [];
      return id === undefined || Number(id) % 16 === 0;
    })
    .join("");

const graphql = `{
  shop { name productCount categoryCount }
  products(first: 100) { totalCount nodes { id name description updatedAt price { amount } } }
  found: products(first: 100, query: "red") { totalCount nodes { id } pageInfo { endCursor } }
  categories { id name depth productCount }
}`;

const paths = ["/agent-sitemap.xml", "/llms.txt", "/robots.txt", "/", "/openapi.json", "/auth.md"];

/** Status, the headers that describe the body, and the body. */
const answerOf = async (
  service: RunningVitrine,
  path: string,
  accept: string,
): Promise<unknown> => {
  const response = await fetch(`${service.url}${path}`, { headers: { accept } });
  const headers = ["etag", "last-modified", "content-type"].map((name) =>
    response.headers.get(name),
  );
  return [path, response.status, headers, await response.text()];
};

const answersOf = async (service: RunningVitrine): Promise<readonly unknown[]> => {
  const catalogue = await service.graphql<{ products: { nodes: readonly { id: number }[] } }>(
    graphql,
  );
  const answers: unknown[] = [catalogue];
  for (const path of paths) answers.push(await answerOf(service, path, "*/*"));
  const sitemap = String((answers[1] as unknown[])[3]);
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url ?? ""));
  for (const { pathname, search } of pages.filter((_, at) => at % 12 === 0)) {
    answers.push(await answerOf(service, `${pathname}${search}`, "text/markdown"));
  }
  return answers;
};

test("all surfaces are byte-identical before and after a rebuild, from NATS and from a journal", async () => {
  const nats = await startNats();
  const home = temporaryDirectory();
  for (const [name, events] of [
    ["journal", "journal:"],
    ["nats", nats.url],
  ] as const) {
    const dataDir = join(home.path, name);
    const at = ["--data-dir", dataDir, "--events", events];
    assert.is((await runHere(["publish", "-", ...at], { input: readDemo() })).code, 0);
    const service = await startVitrine(["--events", events], { dataDir });
    await service.ready();
    const before = await answersOf(service);
    assert.ok(before.length > 15, `${before.length} answers`);
    const rebuilt = await runHere(["rebuild", "--json", ...at]);
    assert.is(rebuilt.code, 0, rebuilt.stderr);
    assert.equal(JSON.parse(rebuilt.stdout).swapped, { generation: "0002", previous: "0001" });
    assert.equal(await answersOf(service), before);
    const verified = await runHere(["verify", ...at]);
    assert.is(verified.code, 0, verified.stdout);
    assert.is((await service.stop()).code, 0);
  }
  await nats.remove();
  home.remove();
});

test.run();
