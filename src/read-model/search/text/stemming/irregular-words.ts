import { foldDiacritics } from "../text-normalisation.ts";
import { irregularForms } from "./irregular-forms.ts";

/** Gets the base form of an irregular form; undefined for any other word. */
type BaseFormLookup = (word: string) => string | undefined;

/** Letters of a compound before its last word. */
const minFirstPart = 2;

/** Creates the lookup of a language. Forms typed without their accents are looked up too, unless they are another entry. */
export const createBaseFormLookup = (language: string): BaseFormLookup | undefined => {
  const text = irregularForms[language];
  if (text === undefined) return undefined;
  const [words, endings] = [new Map<string, string>(), new Map<string, string>()];
  for (const entry of text.split(",")) {
    const [base = "", ...forms] = entry.trim().replace("*", "").split(/\s+/);
    for (const form of forms) {
      for (const each of inflect(form, language)) {
        words.set(each, base);
        if (entry.includes("*")) endings.set(each, base);
      }
    }
  }
  addUnaccented(words);
  addUnaccented(endings);
  const lengths = [...new Set(Array.from(endings.keys(), (ending) => ending.length))];
  lengths.sort((a, b) => b - a);
  const lastLetters = new Set(Array.from(endings.keys(), getLastLetters));
  return (word) =>
    words.get(word) ??
    (lastLetters.has(getLastLetters(word)) ? findCompound(word, endings, lengths) : undefined);
};

/** The article behind a plural, by language. */
const addArticle: Readonly<Record<string, (plural: string) => string>> = {
  da: (plural) => `${plural}ne`,
  no: (plural) => `${plural.replace(/r$/, "")}ne`,
  sv: (plural) => `${plural}na`,
};

/** Lists a plural of a Nordic language with its article and its genitives. */
const inflect = (form: string, language: string): readonly string[] => {
  const definite = addArticle[language];
  if (definite === undefined) return [form];
  const forms = /er$|re$|ar$/.test(form) ? [form, definite(form)] : [form];
  return forms.flatMap((each) => [each, `${each}s`]);
};

const addUnaccented = (baseByForm: Map<string, string>): void => {
  for (const [form, base] of [...baseByForm]) {
    const folded = foldDiacritics(form);
    if (!baseByForm.has(folded)) baseByForm.set(folded, base);
  }
};

/** Few words end as one that ends compounds does. */
const getLastLetters = (word: string): string => word.slice(-2);

/** Finds the longest ending of a compound, and puts its base form in its stead. */
const findCompound = (
  word: string,
  endings: ReadonlyMap<string, string>,
  lengths: readonly number[],
): string | undefined => {
  for (const length of lengths) {
    if (word.length < length + minFirstPart) continue;
    const at = word.length - length;
    const base = endings.get(word.slice(at));
    if (base !== undefined) return word.slice(0, at) + base;
  }
  return undefined;
};
