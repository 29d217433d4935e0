import { suite } from "uvu";
import * as assert from "uvu/assert";
import { carrierUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openTestServer } from "../../helpers/test-server.ts";

const test = suite("shipping on the home page");

test("§5 anonymous: carriers, price ranges and delivery times need no token", async () => {
  const service = await openTestServer();
  service.apply(
    settingsUpdated(),
    carrierUpserted({ id: 1, name: "Courier *fast*" }),
    carrierUpserted({
      id: 2,
      name: "Post",
      countries: ["*"],
      price: { min: "5.00", max: "5.00", currency: "EUR" },
    }),
    carrierUpserted({ id: 3, name: "Gone", active: false }),
  );
  const text = await (await service.get("/", { accept: "text/markdown" })).text();
  assert.match(text, "- Courier \\*fast\\*: 4.90–9.90 EUR, 1–3 days; to DE, AT\n");
  assert.match(text, "- Post: 5.00 EUR, 1–3 days; to any country\n");
  assert.not.match(text, "Gone");
  await service.close();
});

test.run();
