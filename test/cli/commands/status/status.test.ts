import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LogInfoReader } from "../../../../src/cli/commands/status/log-info.ts";
import { createModelInfoReader } from "../../../../src/cli/commands/status/model-info.ts";
import { readStatus } from "../../../../src/cli/commands/status/status.ts";
import { createGeneration } from "../../../../src/projector/open-generation.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";

const test = suite("vitrine status");

test("a status is of one generation, also when a rebuild switches while it is read", async () => {
  const dataDir = temporaryDirectory().path;
  const directory = openDataDirectory(dataDir);
  const [first, second] = [createGeneration(directory), createGeneration(directory)];
  for (const { store } of [first, second]) await store.close();
  directory.swap(first.store.directory);
  const log: LogInfoReader = {
    async read() {
      // Reads the log after the model: the switch is in between.
      if (directory.live() === first.store.directory) directory.swap(second.store.directory);
      return { address: "journal", reachable: true, last: 0 };
    },
    close: async () => {},
  };
  const config = { dataDir, opsHost: "127.0.0.1", opsPort: 9 };
  const { model } = await readStatus(config, createModelInfoReader(), log, Date.now());
  assert.is(model?.generation, second.name);
});

test.run();
