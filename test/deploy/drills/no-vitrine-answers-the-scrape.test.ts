import { drillOf } from "./harness/drill.ts";

const drill = drillOf("No Vitrine answers the scrape");

drill.test("the ops port of a service that is down does not answer", async () => {
  const shop = await drill.install();
  await drill.run("curl", shop, { code: 7 });
});

drill.end();
