/**
 * A process that applies one event to a generation: `apply-event.ts <directory> <sequence> <event as JSON>`.
 */
import { applyBatch } from "../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { recordOf } from "./events.ts";
import { identity } from "./model.ts";

const [directory = "", sequence = "", event = ""] = process.argv.slice(2);
const store = openStore(directory, { readOnly: false });
const record = recordOf(JSON.parse(event), Number(sequence));
applyBatch(store, [record], { identity, rendering: createHtmlRenderer() });
await store.close();
