import * as assert from "uvu/assert";
import { until } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";

const drill = drillOf("Assistants are rate limited");

/** Calls the tools ten times. @returns the statuses */
const callTools = ({ env }: Installation): Promise<readonly number[]> => {
  const url = `http://127.0.0.1:${env.PORT}/agent/mcp`;
  const call = async (): Promise<number> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    await response.text();
    return response.status;
  };
  return Promise.all(Array.from({ length: 10 }, call));
};

drill.test("clients of one address share a limit, which the operator raises", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady(["--tools-access", "open"], { RATE_LIMIT: "5" });
  const statuses = await callTools(shop);
  assert.is(statuses.filter((status) => status === 429).length, 5);
  const counted = await until(
    async () => (await shop.service().ops("/metrics")).text,
    (text) => /^vitrine_http_requests_total\{route="mcp.*",status="429"\} 5$/m.test(text),
  );
  drill.observe(counted);
  await shop.service().stop();
  const serving = await drill.startServe("vitrine serve --tools-access open", shop);
  assert.equal(new Set(await callTools(shop)), new Set([200]));
  await serving.finish();
});

drill.end();
