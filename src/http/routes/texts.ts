import { llmsTxt } from "../../surfaces/text/llms.ts";
import { robotsTxt } from "../../surfaces/text/robots.ts";
import type { Middleware } from "../context.ts";
import { sendText, setLastModified } from "./send-page.ts";

/** Serves `GET /llms.txt` (Specification §4.4). */
export const llms =
  (baseUrl: string, limit: number): Middleware =>
  (ctx) => {
    const [text, time] = ctx.state.reader.snapshot(
      (snapshot) =>
        [
          llmsTxt(snapshot, baseUrl, limit),
          snapshot.changedAt("settings", "catalogue", "policies"),
        ] as const,
    );
    ctx.set("Cache-Control", "no-cache");
    setLastModified(ctx, time);
    sendText(ctx, text, "text/markdown; charset=utf-8");
  };

/** Serves `GET /robots.txt` (RFC 9309). */
export const robotsText =
  (baseUrl: string): Middleware =>
  (ctx) => {
    const robots = ctx.state.reader.snapshot((snapshot) => snapshot.robots());
    ctx.set("Cache-Control", "no-cache");
    setLastModified(ctx, robots?.updatedAt);
    sendText(ctx, robotsTxt(robots?.text, baseUrl), "text/plain; charset=utf-8");
  };
