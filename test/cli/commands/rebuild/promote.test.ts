import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CandidateBuild } from "../../../../src/cli/commands/rebuild/build-generation.ts";
import { promoteCandidate } from "../../../../src/cli/commands/rebuild/promote.ts";
import { openModelDirectory } from "../../../../src/cli/model-directory.ts";
import { controlSettings } from "../../../../src/cli/shared-options.ts";
import { readConfig } from "../../../../src/config.ts";
import { VitrineError } from "../../../../src/errors.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../../../helpers/events.ts";
import { publishTo } from "../../../helpers/publish.ts";
import { startVitrine, until } from "../../../helpers/vitrine.ts";

const test = suite("swap of a built generation");

test("a damaged generation is replaced while the service runs on it, and moved to quarantine", async () => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  await publishTo(dataDir, [settingsUpdated(), productUpserted({ id: 1 })]);
  const service = await startVitrine([], { dataDir });
  try {
    await service.ready();
    const config = readConfig({ dataDir }, {}, controlSettings);
    const model = openModelDirectory(config);
    const path = model.directory.createScratch("rebuild");
    cpSync(model.live, path, { recursive: true });
    const { signal } = new AbortController();
    const built = {
      scratch: { path, signal, announce: { update: () => undefined } },
      products: { before: 0, after: 1 },
      damage: new VitrineError("model_damaged", "a page of it"),
    } as unknown as CandidateBuild;
    const swapped = await promoteCandidate(config, model, built, { acceptLoss: false });
    assert.is("damaged" in swapped && existsSync(join(swapped.damaged, "data.mdb")), true);
    assert.is(model.directory.live(), join(dataDir, "generations", swapped.generation));
    assert.equal(model.directory.quarantined(), ["0001"]);
    const { data } = await until(
      () => service.graphql<{ products: object }>("{ products { totalCount } }"),
      ({ status }) => status === 200,
    );
    assert.equal(data.products, { totalCount: 1 });
    const metrics = (await service.ops("/metrics")).text;
    assert.match(metrics, 'vitrine_restarts_total{process="projector"} 0');
    assert.is((await service.stop()).code, 0);
  } finally {
    service.child.kill("SIGKILL");
  }
  home.remove();
});

test.run();
