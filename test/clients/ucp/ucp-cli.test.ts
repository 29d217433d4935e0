/** Shopify's command for agents finds the catalogue by its profile, and calls its tools, in both versions of UCP. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ucpVersions } from "../../../src/surfaces/ucp/version.ts";
import { createProject } from "../project.ts";
import { services } from "../services.ts";

const test = suite("ucp");

// The service of the test has no certificate.
process.env.UCP_TEST_ALLOW_INSECURE_LOCALHOST = "true";

interface Shown {
  readonly ucp: { readonly version: string; readonly status?: string };
  readonly transport: string;
  readonly result: {
    readonly products: readonly { readonly id: string; readonly title: string }[];
    readonly product: {
      readonly id: string;
      readonly variants: readonly { readonly id: string }[];
    };
    readonly messages: readonly { readonly code: string; readonly content: string }[];
  };
}

for (const version of ucpVersions)
  test(`discovers, searches, looks up and reads products in the words of ${version}`, async () => {
    const project = createProject();
    await project.mustRun(
      "ucp",
      "profile",
      "init",
      "--name",
      "test",
      "--version",
      version,
      "--activate",
    );
    const show = async (...args: readonly string[]): Promise<Shown> => {
      const options = ["--business", services.url, "--format", "json"];
      return JSON.parse(await project.mustRun("ucp", ...args, ...options));
    };
    const discovered = JSON.stringify(await show("discover"));
    assert.match(discovered, /dev\.ucp\.shopping\.catalog\.search/);
    const found = await show("catalog", "search", "--set", "/query=leather backpack");
    assert.equal([found.ucp.version, found.transport], [version, "mcp"]);
    assert.match(found.result.products[0]?.title ?? "", /Leather Backpack/);
    const ids = JSON.stringify({ ids: ["1300", "1300.2", "nope"] });
    const looked = await show("catalog", "lookup", "--input", ids);
    assert.equal(
      [looked.result.products.map(({ id }) => id), looked.result.messages.at(-1)?.content],
      [["1300"], "nope"],
    );
    const read = await show("catalog", "get_product", "1300.2");
    assert.is(read.result.product.variants[0]?.id, "1300.2");
    const none = await show("catalog", "get_product", "999999");
    assert.equal([none.ucp.status, none.result.messages[0]?.code], ["error", "not_found"]);
  });

test.run();
