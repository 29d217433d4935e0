import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CartItem } from "../../../src/surfaces/mcp/cart.ts";
import { checkoutUrl } from "../../../src/surfaces/mcp/checkout-link.ts";
import { aProduct } from "../../helpers/reader.ts";

const test = suite("checkout link");

const item = (over: Parameters<typeof aProduct>[0], quantity: number): CartItem => ({
  product: aProduct(over),
  variant: undefined,
  offer: aProduct(over).offer,
  quantity,
});
const basket = [item({ id: 7, reference: "A/7 & b" }, 2), item({ id: 8, reference: "$&8" }, 1)];
const one = basket.slice(0, 1);
const shop = "https://shop.example/en/";

test("the presets give the URLs of the platforms, below the URL of the shop", () => {
  assert.equal(checkoutUrl({ preset: "shopify" }, shop, basket), {
    url: "https://shop.example/en/cart/7:2,8:1",
  });
  assert.equal(checkoutUrl({ preset: "woocommerce" }, shop, basket), {
    url: "https://shop.example/en/checkout-link/?products=7:2,8:1",
  });
  assert.equal(checkoutUrl({ preset: "prestashop" }, shop, one), {
    url: "https://shop.example/en/index.php?controller=cart&add=1&action=show&id_product=7&qty=2",
  });
});

test("the PrestaShop link takes one product, and several are rejected", () => {
  assert.ok("reason" in checkoutUrl({ preset: "prestashop" }, shop, basket));
});

test("a template of the shop is filled with URL-encoded values", () => {
  const template = {
    template: "https://pay.example/?b={items}",
    item: "{reference}*{quantity}",
    separator: ";",
  };
  assert.equal(checkoutUrl(template, shop, basket), {
    url: "https://pay.example/?b=A%2F7%20%26%20b*2;%24%268*1",
  });
});

test("a sign of replacement patterns in an item stays as the shop wrote it", () => {
  const template = { template: "/c?{items}&x", item: "{id}$&$$$1$'{quantity}", separator: "$`" };
  assert.equal(checkoutUrl(template, shop, basket), {
    url: "https://shop.example/c?7$&$$$1$'2$`8$&$$$1$'1&x",
  });
});

test("a template that is a path starts at the root of the shop", () => {
  const template = { template: "/basket/{items}", item: "{id}x{quantity}", separator: "/" };
  assert.equal(checkoutUrl(template, shop, basket), { url: "https://shop.example/basket/7x2/8x1" });
});

test("an item without the reference that a template needs is rejected with its name", () => {
  const template = { template: "/{items}", item: "{reference}", separator: "," };
  const nameless = [item({ id: 9, name: "Cup", reference: null }, 1)];
  const link = checkoutUrl(template, shop, nameless);
  assert.match("reason" in link ? link.reason : "", "Cup (id 9)");
});

test("a template without products gives no link, because the basket would be empty", () => {
  const way = { template: "/cart/{items}", item: "{id}:{quantity}", separator: "," };
  for (const broken of [
    { ...way, template: "/cart/{item}" },
    { ...way, item: "{sku}:{quantity}" },
  ]) {
    const link = checkoutUrl(broken, shop, basket);
    assert.match("reason" in link ? link.reason : "", "does not contain the items");
  }
});

test("a link longer than browsers accept is rejected, also where the template repeats the items", () => {
  const template = { template: `/${"{items}".repeat(200)}`, item: "{reference}", separator: "," };
  const many = Array.from({ length: 50 }, (_, at) =>
    item({ id: at + 1, reference: "x".repeat(500) }, 1),
  );
  const link = checkoutUrl(template, shop, many);
  assert.match("reason" in link ? link.reason : "", "request fewer products at once");
  assert.ok("url" in checkoutUrl(template, shop, basket));
});

test.run();
