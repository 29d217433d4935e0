import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §6 robots.txt");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

const agents = {
  gptBot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  claudeBot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  browser:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  android:
    "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
} as const;

const page = { id: 1, url: "https://shop.example/p/one" };

const statusOf = async (service: TestServer, path: string, userAgent: string) => {
  const response = await service.get(path, { "user-agent": userAgent, accept: "text/markdown" });
  await response.arrayBuffer();
  return response.status;
};

for (const line of [
  "Mozilla/5.0 (compatible; HarvestBot/7.1; +http://harvest.example/bot.html)",
  "Mozilla/4.0 (compatible; OldReader 2.0; Windows NT)",
  "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1)",
  "Mobile Spider",
  "compatible",
  "AppleWebKit/537.36",
  "Chrome",
  "Safari/604.1",
  "Windows NT",
  "like Gecko",
  "Version/17",
  "Linux",
]) {
  test(`contract §6: the line "User-agent: ${line}" denies no agent that it does not name`, async ({
    service,
  }) => {
    const robots = robotsUpdated(`User-agent: ${line}\nDisallow: /\n`);
    service.apply(settingsUpdated(), productUpserted(page), robots);
    for (const agent of Object.values(agents))
      assert.is(await statusOf(service, "/p/one.md", agent), 200, agent);
  });
}

test("contract §6: a complete User-Agent in robots.txt names the robot of its comment", async ({
  service,
}) => {
  const robots = `User-agent: ${agents.gptBot}\nDisallow: /\n`;
  service.apply(settingsUpdated(), productUpserted(page), robotsUpdated(robots));
  assert.is(await statusOf(service, "/p/one.md", agents.gptBot), 403);
  assert.is(await statusOf(service, "/p/one.md", agents.claudeBot), 200);
  for (const comment of [
    "Applebot/0.1; +http://www.apple.com/go/applebot",
    "PageBot/2; http://x.example",
  ]) {
    const line = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/17.4 Safari/605.1.15 (${comment})`;
    service.apply(robotsUpdated(`User-agent: ${line}\nDisallow: /\n`));
    assert.is(await statusOf(service, "/p/one.md", line), 403, line);
    for (const agent of Object.values(agents))
      assert.is(await statusOf(service, "/p/one.md", agent), 200, agent);
  }
});

const spellings = (path: string): readonly string[] => [
  path,
  `${path}?utm_source=a`,
  `${path}?gclid=1&utm_medium=b`,
  `${path}?fbclid=2`,
];

test("contract §6: a rule about .md denies the page also with tracking parameters", async ({
  service,
}) => {
  const robots = robotsUpdated("User-agent: FooBot\nDisallow: /*.md$\n");
  service.apply(settingsUpdated(), productUpserted(page), robots);
  for (const path of spellings("/p/one.md")) {
    assert.is(await statusOf(service, path, "FooBot/1.0"), 403, path);
    assert.is(await statusOf(service, path, "BarBot/1.0"), 200, path);
  }
});

test("contract §6: a rule about one address of the home page denies each of them", async ({
  service,
}) => {
  const settings = settingsUpdated({ url: "https://shop.example/home" });
  for (const rule of ["/home", "/$"]) {
    service.apply(settings, robotsUpdated(`User-agent: FooBot\nDisallow: ${rule}\n`));
    for (const path of ["/home", "/home.md", "/index.md", "/", "/?utm_source=a"]) {
      assert.is(await statusOf(service, path, "FooBot/1.0"), 403, `${rule} ${path}`);
      assert.is(await statusOf(service, path, "BarBot/1.0"), 200, path);
    }
  }
});

test.run();
