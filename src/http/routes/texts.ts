import type { Site } from "../../surfaces/site.ts";
import { llmsTxt } from "../../surfaces/text/llms.ts";
import { robotsTxt } from "../../surfaces/text/robots.ts";
import type { Handler, HasModel } from "../pipeline.ts";
import { lastModified, markdownType, textReply } from "./page-reply.ts";

/** Serves `GET /llms.txt` (Specification §4.4). */
export const llms =
  (site: Site, limit: number): Handler<HasModel> =>
  ({ model }) =>
    model.snapshot((snapshot) => {
      const time = snapshot.changedAt("settings", "catalogue", "policies");
      const headers = lastModified(time);
      return textReply(llmsTxt(snapshot, site, limit), markdownType, { headers, publicFor: 0 });
    });

/** Serves `GET /robots.txt` (RFC 9309). */
export const robotsText =
  (baseUrl: string): Handler<HasModel> =>
  ({ model }) => {
    const robots = model.snapshot((snapshot) => snapshot.robots());
    return textReply(robotsTxt(robots?.text, baseUrl), "text/plain; charset=utf-8", {
      headers: lastModified(robots?.updatedAt),
      publicFor: 0,
    });
  };
