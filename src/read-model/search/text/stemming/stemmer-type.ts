/** Reduces a word in lower case, accents kept, to its stem. */
export type Stemmer = (word: string) => string;
