import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";

/**
 * A module as it was built, typed as its source: `tsx` wraps every function it loads to keep its name, which is
 * not what production runs. `npm run bench` builds each module alone, beside the program.
 * @param path in `dist/modules/src`, with its folder and without ending: `projector/run`
 */
export const built = async <Module>(path: string): Promise<Module> =>
  (await import(
    pathToFileURL(join(packageRoot, "dist", "modules", "src", `${path}.js`)).href
  )) as Module;
