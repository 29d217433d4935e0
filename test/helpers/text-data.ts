import * as assert from "uvu/assert";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { textData } from "../../src/text/text-data.ts";

/** Text data of a Node with another ICU version. */
export const otherTextData = textData().replace(/icu\.\S+/, "icu.1.0");

/** Rewrites the checkpoint of a closed generation with other text data; undefined removes the member. */
export const markTextData = async (
  generation: string,
  written: string | undefined,
): Promise<void> => {
  const store = openStore(generation, { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    const { textData: _, ...rest } = checkpoint;
    stored.put(tables.meta, "checkpoint", { ...rest, ...(written && { textData: written }) });
  });
  await store.close();
};
