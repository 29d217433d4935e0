import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type Koa from "koa";
import { ownFile } from "../../package-info.ts";

const directory = ownFile("ops/console/assets");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page loads from here alone, runs no script that stands in it, and is shown in no other page. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers with a file of the console: `index.html` at `/`, the others under `/console/`. */
export const pageFiles = (): ReadonlyMap<string, (ctx: Koa.Context) => void> =>
  new Map(
    readdirSync(directory).map((name) => {
      const bytes = readFileSync(`${directory}/${name}`);
      const path = name === "index.html" ? "/" : `/console/${name}`;
      const send = (ctx: Koa.Context): void => {
        ctx.set("Content-Security-Policy", contentSecurityPolicy);
        ctx.set("Referrer-Policy", "no-referrer");
        ctx.type = types[extname(name)] ?? "application/octet-stream";
        ctx.body = bytes;
      };
      return [path, send] as const;
    }),
  );
