/** Types of Node's SQLite, as far as used here. The installed types are of the oldest supported Node, which has none. */
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
