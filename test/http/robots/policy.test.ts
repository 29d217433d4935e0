import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseRobots, watchRobots } from "../../../src/http/robots/policy.ts";
import { packageRoot } from "../../../src/package-info.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { robotsUpdated } from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { bytesOf, exchange, portOf } from "../../helpers/wire.ts";

const test = suite<{ service: TestServer }>("robots.txt");

test.before(async (context) => {
  context.service = await openTestServer();
});
test.after(({ service }) => service.close());

const withdraws = (robots: string, userAgent: string, path = "/a/b"): boolean =>
  parseRobots(robots)(userAgent, path) === "denied";

const none = "User-agent: FooBot\nDisallow: /\n";

const userAgents: readonly [userAgent: string, withdrawn: boolean][] = [
  ["FooBot", true],
  ["foobot/1.0", true],
  ["Mozilla/5.0 (compatible; FooBot/1.2; +https://foo.example/bot)", true],
  ["Mozilla/5.0 (compatible;FooBot)", true],
  ["Other/1.0 FooBot/2.0", true],
  ["FooBot+(+http://www.foo.example/search.htm)", true],
  ["Mozilla/5.0+(compatible;+FooBot/2.0;+http://foo.example)", true],
  ['"FooBot/1.0"', true],
  ["[FooBot]", true],
  ["FooBot:1.0", true],
  ["Other/1.0 (+https://foo.example/?a=FooBot)", false],
  ["Other/1.0+(+https://foo.example:80/FooBot+FooBot)", false],
  ["FooBot-News/1.0", false],
  ["NotFooBot/1.0", false],
  ["Other/FooBot", false],
  ["Other/1.0 (+https://foo.example/FooBot)", false],
  ["Other/1.0 (foobot@foo.example)", false],
  ["", false],
  ["*", false],
];

for (const [userAgent, withdrawn] of userAgents) {
  test(`a group for FooBot ${withdrawn ? "matches" : "does not match"} "${userAgent}"`, () => {
    assert.is(withdraws(none, userAgent), withdrawn);
  });
}

test("rules for * are not applied, also not to agents with a group of their own", () => {
  const robots = "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /c\n";
  for (const userAgent of ["Mozilla/5.0", "*", "", "FooBot/1.0"]) {
    assert.is(withdraws(robots, userAgent), false, userAgent);
  }
  assert.is(withdraws(robots, "FooBot/1.0", "/c"), true);
});

test("groups of one name are merged, and a group may have several names", () => {
  const robots = `User-agent: FooBot
User-agent: BarBot
Disallow: /a
User-agent: FooBot
Disallow: /b
`;
  assert.is(withdraws(robots, "FooBot", "/a"), true);
  assert.is(withdraws(robots, "FooBot", "/b"), true);
  assert.is(withdraws(robots, "BarBot", "/a"), true);
  assert.is(withdraws(robots, "BarBot", "/b"), false);
});

const empty = ["", "Noindex: /\n", "Sitemap: https://shop.example/sitemap.xml\n", "Disallow:\n"];
for (const [at, records] of empty.entries()) {
  test(`a group without rules allows everything, whatever the rules for * are (${at})`, () => {
    const group = `User-agent: FooBot\n${records}`;
    const everyone = "User-agent: *\nDisallow: /\n";
    const other = "User-agent: BarBot\nDisallow: /\n";
    assert.is(withdraws(`${everyone}\n${group}`, "FooBot/1"), false);
    assert.is(withdraws(`${everyone}${other}${group}`, "FooBot/1"), false);
    assert.is(withdraws(`${everyone}${other}${group}`, "BarBot/1"), true);
    assert.is(
      withdraws(`${everyone}${none}${group}`, "FooBot/1"),
      true,
      "merged with another group",
    );
  });
}

test("consecutive User-agent lines share a group, also with empty lines in between", () => {
  assert.is(withdraws("User-agent: FooBot\n\nUser-agent: *\nDisallow: /\n", "FooBot/1"), true);
});

for (const record of ["Sitemap: https://shop.example/s.xml", "Crawl-delay: 10", "Host: a"]) {
  test(`${record} between two names ends neither the group nor its rules`, () => {
    const robots = `User-agent: FooBot\n${record}\nUser-agent: BarBot\nDisallow: /a\n${record}\nDisallow: /b\n`;
    for (const name of ["FooBot/1", "BarBot/1"]) {
      assert.is(withdraws(robots, name, "/a"), true, name);
      assert.is(withdraws(robots, name, "/b"), true, name);
    }
  });
}

test("a dollar sign is literal except at the end of a rule", () => {
  const robots = "User-agent: FooBot\nDisallow: /$a/\nDisallow: /b$*\nDisallow: /c$\n";
  for (const path of ["/$a/x", "/%24a/x", "/b$x"]) {
    assert.is(withdraws(robots, "FooBot", path), true, path);
  }
  assert.is(withdraws(robots, "FooBot", "/c"), true);
  for (const path of ["/a/x", "/bx", "/c$", "/cx"]) {
    assert.is(withdraws(robots, "FooBot", path), false, path);
  }
});

test("the longest match wins; of two equally long ones, Allow", () => {
  const robots = "User-agent: FooBot\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c\n";
  assert.is(withdraws(robots, "FooBot", "/a/x"), true);
  assert.is(withdraws(robots, "FooBot", "/a/b/c"), false);
  assert.is(withdraws(robots, "FooBot", "/c"), false);
});

test("an agent with several names is denied when one of them is", () => {
  assert.is(withdraws(`${none}User-agent: BarBot\nAllow: /\n`, "BarBot/1 FooBot/1"), true);
});

const encoded: readonly [rule: string, path: string][] = [
  ["/graphql", "/%67raphql"],
  ["/gr%61phql", "/graphql"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/café", "/caf%C3%A9"],
  ["/a?b=*&c", "/a?b=1&c=2"],
];
for (const [rule, path] of encoded) {
  test(`the rule ${rule} matches ${path}`, () => {
    assert.is(withdraws(`User-agent: FooBot\nDisallow: ${rule}\n`, "FooBot", path), true);
  });
}

interface Fixture {
  readonly file: string;
  readonly robots: string;
  readonly cases: readonly (readonly [agent: string, address: string, allowed: boolean])[];
}

const fixtures: readonly Fixture[] = readFileSync(
  join(packageRoot, "test/fixtures/robots-cases.ndjson"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Cases in which Google's parser reads names or bytes differently by design, by file and agent. */
const deviations: Readonly<Record<string, string>> = {
  "correctness/BOM-characters.textproto foo": "Google skips U+FEFF before Disallow like a space",
  "correctness/non-ascii-paths.textproto FooBot": "a path over HTTP is always encoded",
  "correctness/user-agent-name.textproto Foo Bar": "a group for Foo matches the product Foo",
  "stress/369883.textproto AB42bot": "a name may have digits, as that of MJ12bot",
  "stress/860237.textproto XYZ123bot": "a name may have digits, as that of MJ12bot",
};

test("Google's test cases: agents with a group get the same results; other agents are allowed everything", () => {
  let met = 0;
  const wrong: string[] = [];
  for (const { file, robots, cases } of fixtures) {
    const check = parseRobots(robots);
    for (const [agent, address, allowed] of cases) {
      const isNamed = new RegExp(`^\\ufeff?\\s*user-agent\\s*:\\s*${agent}(?![\\w.-])`, "im");
      const expected = agent === "" || !isNamed.test(robots) || allowed;
      const { pathname, search } = new URL(address);
      if (!expected) met += 1;
      if ((check(agent, pathname + search) !== "denied") !== expected)
        wrong.push(`${file} ${agent}`);
    }
  }
  assert.ok(met > 50, `${met} denied`);
  assert.equal(
    wrong.filter((name) => !(name in deviations)),
    [],
  );
  assert.equal([...new Set(wrong)].sort(), Object.keys(deviations).sort());
});

test("a change of robots.txt applies from the next request on", async ({ service }) => {
  const ask = async () => {
    const response = await service.get("/graphql/schema.graphql", { "user-agent": "FooBot/1" });
    await response.arrayBuffer();
    return response.status;
  };
  assert.is(await ask(), 200);
  service.apply(robotsUpdated(none, { time: "2026-10-02T00:00:00Z" }));
  assert.is(await ask(), 403);
  service.apply(robotsUpdated("", { time: "2026-10-03T00:00:00Z" }));
  assert.is(await ask(), 200);
});

test("an absolute request target is matched by its path, whatever its scheme", async ({
  service,
}) => {
  service.apply(robotsUpdated(none, { time: "2026-10-04T00:00:00Z" }));
  for (const scheme of ["http", "HTTPS", "ftp", "ws"]) {
    const request = {
      method: "GET",
      target: `${scheme}://h/graphql/schema.graphql`,
      headers: [["User-Agent", "FooBot/1"]],
      body: Buffer.alloc(0),
    } as const;
    const { status } = await exchange(portOf(service.url), bytesOf(request));
    assert.is(status, 403, scheme);
  }
  service.apply(robotsUpdated("", { time: "2026-10-05T00:00:00Z" }));
});

test("an agent stays denied while robots.txt cannot be read", () => {
  let isDamaged = false;
  const snapshot = (read: (snapshot: unknown) => unknown): unknown => {
    if (isDamaged) throw new Error("a record is damaged");
    return read({ robots: () => ({ text: none }), address: () => undefined });
  };
  const reader = { snapshot } as unknown as Reader;
  const currentRobots = watchRobots();
  for (const damaged of [false, true, false]) {
    isDamaged = damaged;
    assert.is(currentRobots(reader)("FooBot/1", "/a"), "denied");
    assert.is(currentRobots(reader)("Other/1", "/a"), "allowed");
  }
});

test("/robots.txt stays open to denied agents, however its path is written", async ({
  service,
}) => {
  service.apply(
    robotsUpdated("User-agent: FooBot\nDisallow: /\n", { time: "2026-10-20T00:00:00Z" }),
  );
  const agent = { "user-agent": "FooBot/1.0" };
  for (const [path, status] of [
    ["/robots.txt", 200],
    ["/robots.txt/", 200],
    ["/robots.txt/a", 403],
    ["/llms.txt", 403],
  ] as const) {
    assert.is((await service.get(path, agent)).status, status, path);
  }
});

test.run();
