import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { readPackageVersion } from "../package-info.ts";

/**
 * Identifies the data that sorts, segments and stems texts, and that ends days: `icu.78.2 cldr.48.0 unicode.17.0 tz.2026a …`.
 *
 * Invariant: the index rows of a model are written and removed under one value, because the projector removes a row
 * by computing its key again. A checkpoint stores the value, and a model with another value is rebuilt. Node can be
 * built without the data of most languages, and its versions do not say so. Therefore the value contains a digest of
 * the results of ICU for sample letters and texts.
 */
export const textData = (): string => {
  memo ??= identify();
  return memo;
};

let memo: string | undefined;

const identify = (): string => {
  const { icu, cldr, unicode, tz } = process.versions;
  const parts = {
    icu,
    cldr,
    unicode,
    tz,
    stemmers: readModuleVersion("@orama/stemmers/english"),
    stopwords: readModuleVersion("@orama/stopwords/english"),
    locales: computeLocalesDigest(),
  };
  return Object.entries(parts)
    .map(([name, version]) => `${name}.${version}`)
    .join(" ");
};

/**
 * Describes the difference of two values of `textData`, such as `icu 77.1 → 78.2`.
 * @param written undefined in models older than the value: every part is unknown
 */
export const describeTextDataChange = (written = "", now = textData()): string => {
  const previous = parseParts(written);
  return [...parseParts(now)]
    .filter(([name, version]) => previous.get(name) !== version)
    .map(([name, version]) => `${name} ${previous.get(name) ?? "unknown"} → ${version}`)
    .join(", ");
};

const parseParts = (data: string): ReadonlyMap<string, string> =>
  new Map(
    data.split(" ").map((part) => {
      const point = part.indexOf(".");
      return [part.slice(0, point), part.slice(point + 1)];
    }),
  );

/** Reads the version of the installed package of a module, which its own `exports` do not offer. */
const readModuleVersion = (module: string): string =>
  readPackageVersion(dirname(dirname(createRequire(import.meta.url).resolve(module))));

const sampleLetters = Array.from("aáäåæbcčçdđeéhiıjklłmnñoöøprřsšßtþuüvwyzžаеёиійкўяαβωאبअกあア亜");

const unspacedText = "ภาษาไทยง่ายนิดเดียว東京都に住んでいます我爱北京天安门ພາສາລາວភាសាខ្មែរမြန်မာဘာသာ";

/** Digests how ICU sorts sample letters in each of its languages, and how it segments scripts without spaces. */
const computeLocalesDigest = (): string => {
  const latin = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
  const codes = latin.flatMap((first) => latin.map((second) => first + second));
  const sortedLetters = Intl.Collator.supportedLocalesOf(codes).map((language) => {
    const { compare } = new Intl.Collator(language, { sensitivity: "base" });
    return [language, sampleLetters.toSorted(compare).join("")];
  });
  const segmenter = new Intl.Segmenter("und", { granularity: "word" });
  const words = Array.from(segmenter.segment(unspacedText), ({ segment }) => segment);
  return createHash("sha256")
    .update(JSON.stringify([sortedLetters, words]))
    .digest("hex")
    .slice(0, 8);
};
