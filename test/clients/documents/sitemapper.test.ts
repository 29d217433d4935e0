/** sitemapper reads the sitemap for agents. */
import Sitemapper from "sitemapper";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { mustMatch } from "../graphql/scenario.ts";
import { exhaustLimit, services } from "../services.ts";

const test = suite("sitemapper");

test("lists the pages, which have dates and can be fetched", async () => {
  const url = `${services.url}/agent-sitemap.xml`;
  const { sites, errors } = await new Sitemapper({ url }).fetch();
  assert.equal(errors, []);
  const page = sites.find((site) => site.endsWith("/urban-explorer-leather-backpack-1006.md"));
  assert.ok(page, `not in the sitemap, which has ${sites.length} pages`);
  mustMatch(await (await fetch(page)).text(), /Urban Explorer Leather Backpack/);
  // With a minimum date it drops pages without one.
  assert.equal((await new Sitemapper({ url, lastmod: 1 }).fetch()).sites, sites);
});

test("reports a time-out over the rate limit, because it waits as long as `Retry-After` says", async () => {
  await exhaustLimit();
  const url = `${services.limitedUrl}/agent-sitemap.xml`;
  const { sites, errors } = await new Sitemapper({ url, timeout: 1_000 }).fetch();
  assert.equal(sites, []);
  mustMatch(JSON.stringify(errors), /Request timed out after 1000 milliseconds/);
});

test.run();
