/** What is used of the SQLite of newer versions of Node; the types installed are those of the oldest that is supported. */
declare module "node:sqlite" {
  type Row = Readonly<Record<string, unknown>>;
  interface Statement {
    all(...values: readonly unknown[]): readonly Row[];
    get(...values: readonly unknown[]): Row | undefined;
    run(...values: readonly unknown[]): void;
  }
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): Statement;
    close(): void;
  }
}
