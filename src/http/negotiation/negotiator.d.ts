/** The published types are of an older version, without `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: {
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    });
    /** The best of what is there for the client; of equally good ones the preferred. */
    encoding(available: string[], options?: { preferred: string[] }): string | undefined;
    mediaType(available: string[]): string | undefined;
  }
}
