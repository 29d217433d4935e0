import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createReadRequest, readRequest } from "../../../src/surfaces/graphql/parse-request.ts";

const test = suite("GraphQL request bodies");

const queries = fc.constantFrom(
  "{ shop { name } }",
  "query($id: ID!) { product(id: $id) { product { id } } }",
  // A text within a query that looks like the separator between query and variables.
  'query { products(query: ",\\"variables\\":") { totalCount } }',
  '{ products(query: "ü") { totalCount } }',
);

const member = fc.oneof(
  fc.tuple(fc.constant("query"), fc.oneof(queries, fc.constantFrom(1, null))),
  fc.tuple(fc.constant("variables"), fc.constantFrom({ id: "1" }, { id: "ß", q: "," }, null, [1])),
  fc.tuple(fc.constant("operationName"), fc.constantFrom("A", null, 1)),
  fc.tuple(fc.constant("extensions"), fc.constantFrom({}, null, 1)),
  fc.tuple(fc.constant("__proto__"), fc.constantFrom({ query: "{ a }" }, 1)),
);

/** Bodies with members in any order, some repeated, and some bodies that are not JSON. */
const body = fc
  .tuple(queries, fc.array(member, { maxLength: 4 }), fc.constantFrom("", "", "", " ", "}", "x"))
  .map(([query, members, tail]) => {
    const all = [["query", query] as const, ...members];
    const json = all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return Buffer.from(`{${json.join()}}${tail}`);
  });

const plain = (request: ReturnType<typeof readRequest>) => JSON.parse(JSON.stringify(request));

test("a body is parsed in the same way whatever was parsed before", () => {
  let alike = 0;
  fc.assert(
    fc.property(fc.array(body, { minLength: 2, maxLength: 12 }), (bodies) => {
      const read = createReadRequest();
      for (const one of [...bodies, ...bodies]) {
        assert.equal(plain(read(one)), plain(readRequest(one)), one.toString());
        if (typeof readRequest(one) !== "string") alike += 1;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(alike > 500, `${alike} were valid requests`);
});

test("after a known document only the rest of the body is parsed", () => {
  const read = createReadRequest();
  const bodyOf = (id: string) =>
    Buffer.from(JSON.stringify({ query: "query($id: ID!) { a }", variables: { id } }));
  const [first, second] = [read(bodyOf("1")), read(bodyOf("2"))];
  if (typeof first === "string" || typeof second === "string") throw new Error("no requests");
  assert.equal(second.variables, { id: "2" });
  assert.is(second.query, first.query);
});

test("a body that is not UTF-8 is rejected also after a known document", () => {
  const read = createReadRequest();
  const body = Buffer.from('{"query":"{ a }","variables":{"q":"x"}}');
  assert.is(typeof read(body), "object");
  body[body.indexOf('"x"') + 1] = 0xff;
  assert.is(read(body), "The body is not JSON in UTF-8.");
});

test.run();
