import * as assert from "uvu/assert";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { textData } from "../../src/text/text-data.ts";

/** What a Node with another ICU has. */
export const otherTextData = textData().replace(/icu\.\S+/, "icu.1.0");

/** Rewrites a closed generation's checkpoint as a Node with other text data would have; undefined leaves it out. */
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
