import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type Koa from "koa";
import { ownFile } from "../../package-info.ts";

const directory = ownFile("ops/console/assets");

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page loads only files of its own origin, runs no inline script, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @returns a handler for each file of the console by path: `index.html` at `/`, the others under `/console/` */
export const loadStaticFiles = (): ReadonlyMap<string, (ctx: Koa.Context) => void> =>
  new Map(
    readdirSync(directory).map((name) => {
      const content = readFileSync(`${directory}/${name}`);
      const path = name === "index.html" ? "/" : `/console/${name}`;
      const send = (ctx: Koa.Context): void => {
        ctx.set("Content-Security-Policy", contentSecurityPolicy);
        ctx.set("Referrer-Policy", "no-referrer");
        ctx.type = contentTypes[extname(name)] ?? "application/octet-stream";
        ctx.body = content;
      };
      return [path, send] as const;
    }),
  );
