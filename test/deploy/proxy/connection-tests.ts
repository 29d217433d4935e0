import { once } from "node:events";
import * as assert from "uvu/assert";
import { categoryUpserted } from "../../helpers/events.ts";
import { startFailingReplica } from "./failing-replica.ts";
import { type HttpsClient, openClient, openWebSocket } from "./https-client.ts";
import {
  isShop,
  type ProxyContext,
  type ProxyTest,
  publish,
  rateLimit,
  type StartProxy,
} from "./proxy-context.ts";
import { startRelay } from "./relay.ts";
import { hostName } from "./start-proxy.ts";

/** Tests connections, addresses of clients, and a service that is away. */
export const testConnections = (test: ProxyTest, startProxy: StartProxy): void => {
  let address = 1;
  /** Opens a client at an address of its own, so that it has a rate limit of its own. */
  const openNext = ({ proxy }: ProxyContext): Promise<HttpsClient> => {
    address += 1;
    return openClient(proxy.port, hostName, `127.0.0.${address}`);
  };

  test("clients use TLS and HTTP/2", ({ context: { client } }) => {
    assert.is(client.protocol, "h2");
  });

  test("a change reaches a stream of the feed through the proxy at once", async ({ context }) => {
    const client = await openNext(context);
    const stream = client.open("/agent/changes/stream?since=now&kinds=category");
    const [, position = ""] = await stream.has(/event: position\nid: (\S+)/);
    const name = `Category after ${position}`;
    await publish(context.service, [categoryUpserted({ id: 77, name })]);
    await stream.has(new RegExp(name));
    stream.close();
    client.close();
  });

  test("the proxy keeps its connections to Vitrine", async ({ context }) => {
    const client = await openNext(context);
    const before = context.relay.count();
    const headers = { ":method": "POST", "content-type": "application/json" };
    for (let at = 0; at < 50; at += 1) await client.send("/graphql", headers, "{}");
    assert.ok(context.relay.count() - before <= 2, `${context.relay.count() - before} connections`);
    client.close();
  });

  test("each client address has its own rate limit, and a forged X-Forwarded-For changes nothing", async ({
    context,
  }) => {
    const [one, other] = [await openNext(context), await openNext(context)];
    const ask = (client: HttpsClient, at: number) =>
      client.send(
        "/graphql",
        {
          ":method": "POST",
          "content-type": "application/json",
          "x-forwarded-for": `198.51.100.${at}, 203.0.113.${at}`,
          forwarded: `for=198.51.100.${at}`,
        },
        '{"query":"{ shop { name } }"}',
      );
    for (let at = 1; at <= rateLimit; at += 1) {
      const { status, headers } = await ask(one, at);
      assert.is(status, 200);
      assert.is(headers["ratelimit-remaining"], String(rateLimit - at));
    }
    const refused = await ask(one, 0);
    assert.is(refused.status, 429);
    assert.match(String(refused.headers["retry-after"]), /^\d+$/);
    assert.is((await ask(other, 0)).headers["ratelimit-remaining"], String(rateLimit - 1));
    const { headers } = await one.get("/cart", { "x-forwarded-for": "198.51.100.1" });
    assert.match(String(headers["x-forwarded-for-seen"]), /^127\.0\.0\.\d+$/);
    one.close();
    other.close();
  });

  test("a WebSocket of the shop goes through the proxy", async ({ context: { proxy } }) => {
    const socket = await openWebSocket(proxy.port, hostName, "/chat");
    socket.write("hello");
    const [echo] = await once(socket, "data", { signal: AbortSignal.timeout(10_000) });
    assert.is(String(echo), "hello");
    socket.destroy();
  });

  test("a POST that ends in an error is sent once", async ({ context: { shop } }) => {
    const replica = await startFailingReplica("dies");
    const proxy = await startProxy({ vitrine: replica.port, shop: shop.port });
    const client = await openClient(proxy.port, hostName);
    try {
      for (const path of ["/graphql", "/agent/mcp", "/v1/register"]) {
        const headers = { ":method": "POST", "content-type": "application/json" };
        const { status } = await client.send(path, headers, "{}");
        assert.is(status, 503, path);
        assert.equal(replica.received.splice(0), ["POST"], path);
      }
    } finally {
      client.close();
      await proxy.stop();
      await replica.close();
    }
  });

  test("while Vitrine is away, agents get 503 with Retry-After, and the shop answers", async ({
    context: { shop },
  }) => {
    const unused = await startRelay(1);
    unused.close();
    const proxy = await startProxy({ vitrine: unused.port, shop: shop.port });
    const client = await openClient(proxy.port, hostName);
    for (const [path, accept] of [
      ["/llms.txt", "*/*"],
      ["/products/1.md", "*/*"],
      ["/products/1", "text/markdown"],
    ] as const) {
      const { status, headers, body } = await client.get(path, { accept });
      assert.is(status, 503, path);
      assert.is(headers["retry-after"], "5");
      assert.is(headers["cache-control"], "no-store");
      assert.is(JSON.parse(body.toString()).error.code, "unavailable");
    }
    assert.ok(isShop(await client.get("/products/1", { accept: "text/html" })));
    assert.ok(isShop(await client.get("/products/1", { accept: "text/markdown, text/html" })));
    client.close();
    await proxy.stop();
  });
};
