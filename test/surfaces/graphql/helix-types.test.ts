import type { processRequest as declared } from "graphql-helix";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { processRequest as published } from "../../../node_modules/graphql-helix/dist/process-request.js";

const test = suite("types of graphql-helix");

type Options = Parameters<typeof declared>[0];

test("the declared options are options of the published types", () => {
  const isCompatible: Options extends Parameters<typeof published>[0] ? true : false = true;
  assert.ok(isCompatible);
});

test("the published result is a declared result", () => {
  type Result = Awaited<ReturnType<typeof published>>;
  const isCompatible: Result extends Awaited<ReturnType<typeof declared>> ? true : false = true;
  assert.ok(isCompatible);
});

test.run();
