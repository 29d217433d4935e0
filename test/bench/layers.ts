import { join } from "node:path";
import { buildWorkerEnvironment } from "../../src/cli/supervisor/fork.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { readDemoShop } from "./demo-shop.ts";
import { productRequest } from "./exchanges.ts";
import { type Comparison, compare, interleave, type Measure, type Report } from "./figures.ts";
import { measureRequests, sendRequest } from "./http-load.ts";
import { layerNames } from "./layer-names.ts";
import { projectMessages } from "./project-log.ts";
import { withServers } from "./server-process.ts";

interface LayerOptions {
  /** Duration of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Measures the chain of HTTP layers cut at each of them, each beside the cut before, over the demo shop and one product. */
export const benchLayers = ({ seconds, rounds, report }: LayerOptions) =>
  withServers(async (start, directory, serve): Promise<readonly Comparison[]> => {
    report("building the model");
    const model = join(directory, "model");
    const shop = readDemoShop();
    await projectMessages(
      model,
      shop.events.map((event) => toMessage(event)),
    );
    const vitrine = await serve(model);
    const request = productRequest(String(shop.products[0]?.id));
    const recorded = await sendRequest(vitrine.url, request);
    const measures: Record<string, Measure> = {};
    for (const server of ["node", "koa"] as const) {
      const bare = await start("server-bare.ts", [server], [recorded]);
      measures[`layers: ${server}`] = measureRequests(bare, [request], seconds);
    }
    for (const name of layerNames) {
      // In the environment of an HTTP process, as the whole service.
      const env = buildWorkerEnvironment(process.env, "http");
      const cut = await start("server-layers.ts", [name, model], recorded, env);
      measures[`layers: ${name}`] = measureRequests(cut, [request], seconds);
    }
    measures["layers: the whole service"] = measureRequests(vitrine, [request], seconds);
    const figures = await interleave(measures, rounds, report);
    const names = Object.keys(measures);
    return names
      .slice(1)
      .map((name, at) => compare(figures, "requests/CPU-s", name, names[at] as string));
  });
