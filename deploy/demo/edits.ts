import { type Happening, type Life, later, on, product, within } from "./life.ts";
import { categoryUrl, paragraph, robots, settings, shippingForHolidays } from "./shop.ts";
import type { SourceProduct } from "./source.ts";
import { pick } from "./teller.ts";

/** Paths of the categories whose goods the shop gives up, and the day of it. */
const givenUp: Readonly<Record<string, string>> = {
  "hot-dispensed/hot-chocolate": "2026-10-20",
  "food-service/pizza": "2026-11-05",
};
/** Its goods are taken off the shelves, not deleted. */
const setAside = "housewares/consumable";

/** Whether a product is sold to the end of the history. */
export const stays = ({ category }: SourceProduct): boolean =>
  givenUp[category.path] === undefined && category.path !== setAside;

/** What people change by hand: goods, pages, settings, tokens. */
export function* edits(life: Life): Generator<Happening> {
  yield* deliveryNotes(life);
  yield* longerTexts(life);
  yield* departures(life);
  yield* tidying(life);
  yield* household(life);
  yield* tokens(life);
}

/** Pianos get a second paragraph, by a patch that leaves everything else as it is. */
function* deliveryNotes(life: Life): Generator<Happening> {
  for (const source of within(life, "instruments/keys")) {
    const { number: id, descriptionHtml } = source;
    const note = paragraph("Delivered by appointment: we call you to agree on a day.");
    const data = { id, descriptionHtml: paragraph(descriptionHtml) + note };
    yield {
      time: on("2026-09-15", id),
      tell: (time) => life.teller.tell("shop.product.patched", `product/${id}`, time, data),
    };
  }
}

/** Twice a week a product is saved whole with a longer text. */
function* longerTexts(life: Life): Generator<Happening> {
  const goods = life.source.products.filter(stays).filter(({ category }) => {
    return category.path !== "instruments/keys" && category.path !== "homedecor/bedroom";
  });
  for (let day = 3; day < 72; day += 3) {
    const source = goods[pick(goods.length, "edit", day)] as SourceProduct;
    const { number } = source;
    const note =
      "<ul><li>Checked by hand before it leaves us</li><li>Gift wrap on request</li></ul>";
    yield {
      time: on(later("2026-09-01", day), "edit"),
      tell: (time) => {
        const { descriptionHtml, ...rest } = product(life, source);
        const data = { ...rest, descriptionHtml: `${descriptionHtml}${note}` };
        return life.teller.tell("shop.product.upserted", `product/${number}`, time, data);
      },
    };
  }
}

function* departures(life: Life): Generator<Happening> {
  for (const [path, day] of Object.entries(givenUp)) {
    for (const { number: id } of within(life, path)) {
      yield {
        time: on(day, id),
        tell: (time) => life.teller.tell("shop.product.deleted", `product/${id}`, time, { id }),
      };
    }
  }
  for (const source of within(life, setAside).slice(0, 1)) {
    const subject = `product/${source.number}`;
    yield {
      time: on("2026-10-28", source.number),
      tell: (time) => {
        const data = { ...product(life, source), active: false };
        return life.teller.tell("shop.product.upserted", subject, time, data);
      },
    };
  }
}

/** A category with one product in it is given up: first the product moves, then the category goes. */
function* tidying(life: Life): Generator<Happening> {
  const [target] = within(life, "homedecor/decorative");
  for (const { number: id, category } of within(life, "homedecor/bedroom")) {
    const data = { id, categoryIds: target ? [target.category.id] : [] };
    const time = on("2026-10-08", id);
    yield {
      time,
      tell: (time) => life.teller.tell("shop.product.patched", `product/${id}`, time, data),
    };
    const gone = { id: category.id };
    yield {
      time: time + 60_000,
      tell: (time) => life.teller.tell("shop.category.deleted", `category/${gone.id}`, time, gone),
    };
  }
}

function* household({ teller, source }: Life): Generator<Happening> {
  for (const category of source.categories.filter(({ path }) => path === "homedecor")) {
    const { id, name, parentId } = category;
    const descriptionHtml = paragraph("Light, cushions and clocks for every room.");
    const data = { id, name, url: categoryUrl(category), parentId, descriptionHtml };
    yield {
      time: on("2026-09-20", "category"),
      tell: (time) => teller.tell("shop.category.upserted", `category/${id}`, time, data),
    };
  }
  yield {
    time: on("2026-09-30", "carrier"),
    tell: (time) => teller.tell("shop.carrier.deleted", "carrier/5", time, { id: 5 }),
  };
  yield {
    time: on("2026-10-01", "page"),
    tell: (time) => teller.tell("shop.page.deleted", "page/9", time, { id: 9 }),
  };
  const text = robots.replace("Disallow: /account", "Disallow: /account\nDisallow: /search");
  yield {
    time: on("2026-10-15", "robots"),
    tell: (time) => teller.tell("shop.robots.updated", "robots", time, { text }),
  };
  const freeShippingThreshold = { amount: "50.00", currency: "USD" };
  const time = on("2026-11-01", "holidays");
  yield {
    time,
    tell: (time) =>
      teller.tell("shop.settings.updated", "settings", time, {
        ...settings,
        freeShippingThreshold,
      }),
  };
  yield {
    time: time + 90_000,
    tell: (time) => teller.tell("shop.page.upserted", "page/2", time, shippingForHolidays),
  };
}

function* tokens({ teller }: Life): Generator<Happening> {
  const assistant = { label: "store-assistant", generation: 2 };
  yield {
    time: on("2026-11-03", "token"),
    tell: (time) =>
      teller.tell("agent.token.regenerated", "agent/store-assistant", time, assistant),
  };
  const crawler = { label: "retired-crawler", generation: 1 };
  yield {
    time: on("2026-10-22", "token"),
    tell: (time) => teller.tell("agent.token.revoked", "agent/retired-crawler", time, crawler),
  };
}
