import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";

const test = suite("Contract 9, attributes");

test("Contract 9: events of goods: a page shows the text of an attribute, with its unit added once", async () => {
  const service = await openTestServer();
  const specification = (value: string, numericValue: number, unit: string) => ({
    ...{ name: "Figure", value, numericValue, unit },
  });
  try {
    service.apply(
      productUpserted({
        id: 1,
        specifications: [
          specification("> 60", 60, "N"),
          specification("1/2", 0.5, "bar"),
          specification("2 x 18", 18, "V"),
          specification("12,50", 12.5, "kg"),
        ],
        variants: [{ id: 1, name: "One", specifications: [specification("< 5", 5, "ms")] }],
      }),
    );
    const page = await (await service.get("/products/1.md")).text();
    for (const shown of ["> 60 N", "1/2 bar", "2 x 18 V", "12.5 kg", "Figure: \\< 5 ms"])
      assert.match(page.replace("\\>", ">"), `| ${shown} |`);
  } finally {
    await service.close();
  }
});

test.run();
