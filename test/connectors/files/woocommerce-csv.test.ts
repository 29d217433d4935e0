import { readFileSync } from "node:fs";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UnusableFileError } from "../../../src/connectors/files/items.ts";
import { matchHeader } from "../../../src/connectors/files/rows.ts";
import { wooCommerceWords } from "../../../src/connectors/files/woocommerce/words.ts";
import { property } from "../../helpers/effort.ts";
import {
  bodyOf,
  type Column,
  escapeText,
  joinList,
  productRow,
  readAll,
  toCsv,
  variationRow,
} from "./woocommerce-export.ts";

const test = suite("the export of products of WooCommerce");

/** Headers as shops of the languages write them. */
const headers: Readonly<Record<string, string>> = {
  en: "ID,Type,SKU,Name,Published,Visibility in catalog,In stock?,Stock,Regular price,Attribute 1 name,Attribute 1 value(s)",
  de: "ID,Typ,Artikelnummer,Name,Veröffentlicht,Sichtbarkeit im Katalog,Vorrätig?,Bestand,Regulärer Preis,Attribut 1 Name,Attribut 1 Wert(e)",
  fr: "ID,Type,UGS,Nom,Publié,Visibilité dans le catalogue,En stock\u00a0?,Stock,Tarif régulier,Nom de l’attribut 1,Valeur(s) de l'attribut 1 ",
  es: "ID,Tipo,SKU,Nombre,Publicado,Visibilidad en el catálogo,¿En inventario?,Inventario,Precio normal,Nombre del atributo 1,Valor(es) del atributo 1",
  it: "ID,Tipo,COD,Nome,Pubblicato,Visibilità nel catalogo,In stock?,Magazzino,Prezzo di listino,Attributo 1 nome,Attributo 1 valuta(e)",
  nl: "ID,Type,Artikelnummer,Naam,Gepubliceerd,Zichtbaarheid in catalogus,Op voorraad?,Voorraad,Reguliere prijs,Naam eigenschap 1,Waarde eigenschap 1",
  "pt-BR":
    "ID,Tipo,SKU,Nome,Publicado,Visibilidade no catálogo,Em estoque?,Estoque,Preço,Nome do atributo 1,Valores do atributo 1",
  "pt-PT":
    "ID,Tipo,REF,Nome,Publicado,Visibilidade no catálogo,Em stock?,Stock,Preço normal,Atributo 1 nome,Atributo 1 valor(es)",
  pl: "ID,Typ,SKU,Nazwa,Opublikowano,Widoczność w katalogu,W magazynie?,Stan magazynowy,Cena,Nazwa atrybutu 1,Wartości atrybutu 1",
  sv: "ID,Typ,Artikelnr,Namn,Publicerad,Synlighet i katalog,I lager?,Lagersaldo,Ordinarie pris,Attribut 1 namn,Attribut 1 värde(n)",
};

for (const [language, header] of Object.entries(headers)) {
  test(`a header in ${language} has its columns`, async () => {
    const row = `7,simple,MUG,Mug,1,hidden,1,4,"19,90",Colour,"Red, Blue"`;
    const body = bodyOf(await readAll(`${header}\n${row}\n`));
    assert.equal(
      [
        ...["id", "sku", "name", "status", "catalog_visibility"],
        ...["stock_status", "stock_quantity", "regular_price"],
      ].map((name) => body[name]),
      ["7", "MUG", "Mug", "publish", "hidden", "instock", "4", "19.90"],
    );
    const [attribute] = body["attributes"] as readonly Readonly<Record<string, unknown>>[];
    assert.equal([attribute?.["name"], attribute?.["options"]], ["Colour", ["Red", "Blue"]]);
  });
}

const languages = [
  ...["en_US", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "pt_PT", "pl_PL", "sv_SE"],
];

type Words = Readonly<Partial<Record<string, readonly string[]>>>;

/** Words by language from `VITRINE_WOOCOMMERCE_HEADERS`, a file of the language packs; else those of the reader. */
const readLanguages = (): readonly (readonly [language: string, words: Words])[] => {
  const { VITRINE_WOOCOMMERCE_HEADERS: path } = process.env;
  if (path === undefined) {
    console.log("VITRINE_WOOCOMMERCE_HEADERS is not set: the words are those of the reader");
    return [["the reader", wooCommerceWords]];
  }
  const { columns } = JSON.parse(readFileSync(path, "utf8"));
  return languages.map((language) => [language, columns[language]]);
};

test("each word of the languages leads to its column, and no word to two", () => {
  const columns = Object.keys(wooCommerceWords) as readonly Column[];
  for (const [language, words] of readLanguages()) {
    const found = columns.filter((column) => words[column]);
    assert.ok(found.length >= 24, `${language}: ${found.length} columns`);
    for (const column of found) {
      for (const word of words[column] ?? []) {
        const [position] = matchHeader([word.replace("%d", "12")], wooCommerceWords);
        const expected = word.includes("%d") ? `${column}/12` : column;
        assert.equal(position, [expected, 0], `${language}: ${word}`);
      }
    }
  }
});

/** A text that the escapes of the exporter do not confuse: they know no escape of a backslash. */
const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
    fc
      .array(fc.constantFrom("=", "+", "-", "@", ",", '"', "\n", "'", "n", " ", ";", "é"), {
        minLength: 1,
      })
      .map((parts) => parts.join("")),
  )
  .map((value) => value.replaceAll("\\", "/").trim())
  .filter((value) => value !== "" && !/^'[=+\-@\t\r]/.test(value));

const line = text.map((value) => value.replace(/\s+/g, " "));
const list = fc.array(line, { maxLength: 4 });

test("a row that the exporter writes is read as the values that it had", async () => {
  const product = fc.record({
    ...{ name: line, sku: line, description: text, tags: list, values: list },
    quantity: fc.integer({ min: -9, max: 99 }),
    cents: fc.integer({ min: 0, max: 999_999 }),
    comma: fc.boolean(),
  });
  const check = async (value: typeof product extends fc.Arbitrary<infer T> ? T : never) => {
    const { name, sku, description, tags, values, quantity, cents, comma } = value;
    const price = (cents / 100).toFixed(2);
    const row = productRow({
      ...{ name, sku, description: escapeText(description), tag_ids: joinList(tags) },
      ...{ stock: String(quantity), regular_price: comma ? price.replace(".", ",") : price },
      ...{ "attribute_name/1": name, "attribute_value/1": joinList(values) },
    });
    const body = bodyOf(await readAll(toCsv([row])));
    assert.equal([body["name"], body["sku"], body["description"]], [name, sku, description]);
    assert.equal([body["stock_quantity"], body["regular_price"]], [String(quantity), price]);
    assert.equal(
      body["tags"],
      tags.map((tag) => ({ name: tag })),
    );
    const [attribute] = body["attributes"] as readonly Readonly<Record<string, unknown>>[];
    assert.equal(attribute?.["options"], values);
  };
  await fc.assert(fc.asyncProperty(product, check), property(900));
});

test("a description keeps the two characters of a line break", async () => {
  for (const description of ["a\\nb", "a\nb", "a\n\\nb"]) {
    const row = productRow({ description: escapeText(description) });
    assert.is(bodyOf(await readAll(toCsv([row])))["description"], description);
  }
});

const errorOf = async (bytes: string | Uint8Array): Promise<UnusableFileError> => {
  try {
    await readAll(bytes);
  } catch (error) {
    if (error instanceof UnusableFileError) return error;
    throw error;
  }
  throw new Error("the file was read");
};

test("a file that is cut is refused with its line", async () => {
  const file = toCsv([productRow(), productRow({ id: "8", name: "A mug" })]);
  const open = await errorOf(file.slice(0, file.indexOf("A mug") + 3));
  assert.is(open.line, 3);
  assert.is((await errorOf(file.slice(0, -12))).line, 3);
  assert.match((await errorOf("")).message, "empty");
});

test("a missing column is named, with the column whose content fits", async () => {
  const header = toCsv([productRow({ id: "1", name: "Blue mug" })])
    .replace("ID", "Nummer")
    .replace("Published", "Udgivet")
    .replace("Name", "Navn")
    .replace("Regular price", "Pris");
  const { message } = await errorOf(header);
  assert.match(message, 'lacks id ("ID", perhaps "Nummer"), name ("Name", perhaps "Navn")');
  assert.match(
    message,
    '--header "Nummer=id" --header "Navn=name" --header "Udgivet=published" --header "Pris=regular_price"',
  );
  const columns = new Map([
    ...([
      ["nummer", "id"],
      ["Navn", "name"],
      ["Udgivet", "published"],
      ["Pris", "regular_price"],
    ] as const),
  ]);
  assert.is(bodyOf(await readAll(header, columns))["name"], "Blue mug");
  const noVisibility = toCsv([productRow()]).replace("Visibility in catalog", "Synlighed");
  assert.match((await errorOf(noVisibility)).message, '--header "Synlighed=catalog_visibility"');
  const [alone = ""] = toCsv([productRow()]).replace("In stock?", "Findes").split("\n");
  assert.match((await errorOf(alone)).message, '--header "WORD=stock_status"');
});

test("no bytes end the reader with another error", async () => {
  const file = Buffer.from(toCsv([productRow(), variationRow()]));
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(127));
  // Of files with few changes most keep their header, so that rows are read.
  const withChanges = (maxLength: number) =>
    fc.array(change, { maxLength }).map((list) => {
      const copy = Buffer.from(file);
      for (const [at, byte] of list) copy[at] = byte;
      return copy;
    });
  let read = 0;
  const check = async (bytes: Uint8Array): Promise<void> => {
    try {
      read += (await readAll(bytes)).length;
    } catch (error) {
      assert.instance(error, UnusableFileError);
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(withChanges(3), withChanges(12), fc.uint8Array({ maxLength: 300 })),
      check,
    ),
    property(1_500),
  );
  assert.ok(read > 100, `only ${read} items`);
});

test.run();
