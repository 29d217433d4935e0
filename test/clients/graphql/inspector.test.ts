/** The command of GraphQL Inspector, which reads the schema by introspection, and as SDL. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { createProject } from "../project.ts";
import { graphqlUrl } from "../services.ts";
import { mustMatch } from "./scenario.ts";

const published = join(packageRoot, "schema", "graphql", "schema.graphql");

const valid = "query Stock($id: ID!) { product(id: $id) { product { availability } } }";

const test = suite("@graphql-inspector/cli");

const project = createProject();

test("validates documents against the schema of the service", async () => {
  project.write("valid.graphql", valid);
  const shown = await project.mustRun("graphql-inspector", "validate", "valid.graphql", graphqlUrl);
  mustMatch(shown, /All documents are valid/);
  project.write("invalid.graphql", valid.replace("availability", "stocks"));
  const options = ["validate", "invalid.graphql", graphqlUrl];
  const { code, output } = await project.run("graphql-inspector", ...options);
  assert.is(code, 1, output);
  mustMatch(output, /Cannot query field stocks on type Product/);
});

test("finds no difference between the served SDL and the published schema", async () => {
  // By default it reads the SDL with POST.
  const options = ["--method", "GET", `${graphqlUrl}/schema.graphql`, published];
  const shown = await project.mustRun("graphql-inspector", "diff", ...options);
  mustMatch(shown, /No changes detected/);
});

test("misses only directives in introspection, which has none", async () => {
  const shown = await project.mustRun("graphql-inspector", "diff", graphqlUrl, published);
  mustMatch(shown, /No breaking changes detected/);
  const directives = shown.match(/Directive \w+ was added to field/g) ?? [];
  mustMatch(shown, new RegExp(`the following changes \\(${directives.length}\\)`));
});

test.run();
