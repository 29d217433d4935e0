import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("spellings");

/** A catalogue, and which products queries find: all of them, the best first. */
interface Case {
  readonly title: string;
  readonly language?: string;
  readonly names: readonly string[];
  readonly queries: Readonly<Record<string, readonly number[]>>;
}

const cases: readonly Case[] = [
  {
    title: "a trade mark is no part of the word before it",
    names: ["LEGO™ Star Wars", "Pump℠"],
    queries: { "lego star wars": [1], "LEGO™": [1], pump: [2] },
  },
  {
    title: "a fraction is a number of its own",
    names: ["Shoe 10½ wide", "Router 101", "Pipe 1½ inch"],
    queries: { "10 1/2": [1], "10 ½": [1], "101": [2], "pipe 11": [], "pipe 1 1/2": [3] },
  },
  {
    title: "a raised number is no digit of the number before it",
    names: ["Tank 10³ litres", "Rug 5 m²", "Pipe 103"],
    queries: { "103": [3], "10 tank": [1], m2: [2], "m²": [2] },
  },
  {
    title: "every degree sign is one",
    names: ["Thermometer 25ºC", "Thermometer 25˚C", "Thermometer 25°C", "Thermometer 25⁰C"],
    queries: { "25°C": [1, 2, 3, 4], "25 c": [1, 2, 3, 4] },
  },
  {
    title: "a compound is found joined, with a hyphen and with a space",
    names: ["WiFi Extender", "Wi-Fi Router", "Wi Fi Antenna", "Antenna"],
    queries: { wifi: [1, 2, 3], "wi-fi": [2, 3, 1], "wi fi": [2, 3, 1], "WI‑FI": [2, 3, 1] },
  },
  {
    title: "a number and its unit are found joined and apart",
    names: ["LED 60W", "LED 60 W", "LED 60-W", "LED 600 W"],
    queries: { "60w": [1, 2, 3], "60 w": [2, 3, 1], "60-W": [2, 3, 1] },
  },
  {
    title: "a short word and the next are found joined and apart",
    names: ["T-Shirt", "Tshirt", "T Shirt", "Shirt"],
    queries: { tshirt: [2, 1, 3], "t-shirt": [1, 3, 2], "t shirts": [1, 3, 2] },
  },
  {
    title: "a German compound with a hyphen is the one without",
    language: "de",
    names: ["Kaffeemaschine", "Kaffee-Maschine"],
    queries: {
      kaffeemaschine: [1, 2],
      kaffeemaschinen: [1, 2],
      "kaffee maschine": [2, 1],
      "Kaffee-Maschine": [2, 1],
    },
  },
  {
    title: "a name and its number are found joined and apart",
    names: ["iPhone15", "iPhone 15", "iPhone-15", "iPhone 150"],
    queries: { iphone15: [1, 2, 3, 4], "iphone 15": [2, 3, 4, 1] },
  },
  {
    title: "a size is one with every sign between its numbers",
    names: [
      "Shelf 80 × 30 cm",
      "Shelf 80x30 cm",
      "Shelf 80 x 30 cm",
      "Shelf 80×30×40 cm",
      "Shelf 30 cm",
    ],
    queries: {
      "80x30": [1, 2, 3, 4],
      "80 x 30": [1, 2, 3, 4],
      "80 × 30": [1, 2, 3, 4],
      "shelf 80": [1, 2, 3, 4],
      "30x80": [],
    },
  },
  {
    title: "the word as typed ranks before its other forms",
    names: ["Glasses", "Glass", "University sweatshirt", "Universal adapter"],
    queries: { glass: [2, 1], glasses: [1, 2], universal: [4, 3], university: [3, 4] },
  },
  {
    title: "accents as typed rank first",
    language: "fr",
    names: ["Pate", "Pâté", "Pâte"],
    queries: { pate: [1, 2, 3], pâté: [2, 1, 3], pâte: [3, 1, 2] },
  },
  {
    title: "the German word as typed ranks before its plural",
    language: "de",
    names: ["Gläser", "Glas"],
    queries: { glas: [2, 1], gläser: [1, 2] },
  },
  {
    title: "signs beside a word tell products apart",
    names: ["C++ Programming", "C# in Depth", "Net", ".NET in Action", "Net Curtain"],
    queries: {
      "c# depth": [2],
      c: [1, 2, 5],
      "c#": [2, 1, 5],
      "C++": [1, 2, 5],
      ".NET": [4, 3, 5],
      net: [3, 5, 4],
    },
  },
  {
    title: "signs between words stand for the word and",
    names: ["Salt & Pepper set", "Salt and pepper mill", "Salt + Pepper jar", "Salt+Pepper jar"],
    queries: {
      "salt and pepper": [2, 1, 3, 4],
      "salt & pepper": [1, 3, 4, 2],
    },
  },
  {
    title: "the sign for and stands for the word of the shop's language",
    language: "de",
    names: ["Salz & Pfeffer", "Salz und Pfeffer"],
    queries: { "salz und pfeffer": [2, 1], "salz & pfeffer": [1, 2] },
  },
  {
    title: "an elided article need not match",
    language: "fr",
    names: ["Huile d'olive", "Vêtements d’hiver", "Olive"],
    queries: {
      "l'olive": [3, 1],
      olive: [3, 1],
      "l’hiver": [2],
      "huile olive": [1],
      "vêtements pour l'hiver": [2],
    },
  },
  {
    title: "a stop word need not match where other words remain, and counts for the rank",
    names: ["North Face jacket", "The North Face", "Face cream from the north", "The Who"],
    queries: {
      "the north face": [2, 3, 1],
      "a face for the north": [],
      "face of the north": [2, 3, 1],
      the: [4, 2, 3],
    },
  },
  {
    title: "a possessive is a form of the word",
    names: ["Men's shoes", "Men shoes", "Mens shoes", "Levi's jeans"],
    queries: { "men's shoes": [1, 2, 3], "mens shoes": [3, 1, 2], levis: [4], "levi's": [4] },
  },
  {
    title: "parts of a long Japanese word are found, after the word itself",
    language: "ja",
    names: ["東京タワー模型", "タワー"],
    queries: { タワー: [2, 1], 東京タワー: [1] },
  },
  {
    title: "letters that look like an apostrophe are apostrophes",
    language: "uk",
    names: ["Комп'ютер", "Компʼютер", "Комп’ютер"],
    queries: { "комп'ютер": [1, 2, 3], компʼютер: [1, 2, 3], компютер: [1, 2, 3] },
  },
  {
    title: "digits of every script are the same",
    language: "fa",
    names: ["128 گیگ", "۱۲۸ گیگ", "१२८"],
    queries: { "128": [3, 1, 2], "۱۲۸": [3, 1, 2], "١٢٨ گیگ": [1, 2] },
  },
  {
    title: "Arabic letters of every keyboard are the same",
    language: "fa",
    names: ["کتاب", "كتاب عربی", "گوشی موبایل", "گوشي موبايل"],
    queries: { کتاب: [1, 2], كتاب: [1, 2], گوشی: [3, 4], "گوشي موبايل": [3, 4] },
  },
  {
    title: "a letter has one form, whole and taken apart",
    language: "ml",
    names: ["അവൻ", "അവന്\u200d"],
    queries: { അവൻ: [1, 2], "അവന്\u200d": [1, 2] },
  },
];

for (const { title, language = "en", names, queries } of cases) {
  test(title, async () => {
    const model = openModel();
    model.apply(settingsUpdated({ language }));
    const products = names.map((name, at) => ({ id: at + 1, name }));
    model.apply(
      ...products.map((product) =>
        productUpserted({ descriptionHtml: null, reference: null, ...product }),
      ),
    );
    const reader = openReader(model.store);
    for (const [query, expected] of Object.entries(queries)) {
      const found = reader.snapshot((snapshot) => snapshot.products({ query, first: 100 }));
      assert.equal(
        found?.products.map(({ id }) => id),
        expected,
        `${query} in ${names.join(", ")}`,
      );
    }
    await model.close();
  });
}

test.run();
