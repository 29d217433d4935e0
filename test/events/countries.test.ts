import { test } from "uvu";
import { equal } from "uvu/assert";
import { toCountryCode } from "../../src/events/countries.ts";

test("a code of ISO 3166-1 is its country, in either case", () => {
  for (const text of ["DE", "de", "De", "dE"]) equal(toCountryCode(text), "DE");
  equal(toCountryCode("XK"), "XK");
});

test("an alias in common use is read as its code of ISO 3166-1", () => {
  const aliases = { UK: "GB", uk: "GB", EL: "GR", FX: "FR", AC: "SH", IC: "ES", TP: "TL" };
  for (const [alias, code] of Object.entries(aliases)) equal(toCountryCode(alias), code, alias);
});

test("a text that names no country has no code", () => {
  for (const text of ["", "*", "ZZ", "XX", "EU", "UN", "DEU", "D", " DE", "ß", "ſs", "4A"]) {
    equal(toCountryCode(text), undefined, text);
  }
});

test("the list has the 249 countries of ISO 3166-1 and Kosovo", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  equal(codes.filter((code) => toCountryCode(code) === code).length, 250);
});

test.run();
