import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { toNatsSubject } from "../../src/events/envelope.ts";
import { createRefResolver, readSchemas } from "../../src/events/schemas.ts";
import { packageRoot } from "../../src/package-info.ts";

interface Referring {
  readonly $ref: string;
}

interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, Referring>>;
}

interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, { readonly messages: readonly Referring[] }>>;
  readonly components: { readonly messages: Readonly<Record<string, unknown>> };
}

const test = suite("asyncapi.yaml");
const path = join(packageRoot, "schema", "asyncapi.yaml");
const document: AsyncApi = parse(readFileSync(path, "utf8"));
const schemas = readSchemas();
const types = Object.keys(schemas)
  .filter((file) => /^(shop|agent)\./.test(file))
  .map((file) => file.replace(/\.v\d+\.json$/, ""))
  .sort();

function references(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === "$ref" ? [String(value)] : references(value),
  );
}

const within = (node: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], node);

test("asyncapi.yaml is AsyncAPI 3 and lists exactly the event types that have a schema", () => {
  assert.is(document.asyncapi, "3.0.0");
  assert.equal(Object.keys(document.components.messages).sort(), types);
  const listed = Object.values(document.channels).flatMap(({ messages }) => Object.keys(messages));
  assert.equal([...new Set(listed)].sort(), types);
  const sent = Object.values(document.operations).flatMap(({ messages }) => messages);
  const sentTypes = new Set(sent.map(({ $ref }) => $ref.split("/").at(-1)));
  assert.equal([...sentTypes].sort(), types);
});

test("every reference in asyncapi.yaml resolves", () => {
  for (const reference of references(document)) {
    const [file = "", pointer = ""] = reference.split("#");
    const target = join(dirname(path), file);
    assert.ok(existsSync(target), reference);
    const node = file ? JSON.parse(readFileSync(target, "utf8")) : document;
    assert.ok(within(node, pointer), reference);
  }
});

test("asyncapi.yaml gives each type its own schema and the address of its subject", () => {
  for (const { address, messages } of Object.values(document.channels)) {
    for (const type of Object.keys(messages)) {
      const own = references(document.components.messages[type]);
      assert.ok(own.includes(`./events/${type}.v1.json`), type);
      const subject = String(schemas[`${type}.v1.json`]?.["x-subject"]).split("{")[0] ?? "";
      assert.is(address.split("{")[0], toNatsSubject(subject), type);
    }
  }
});

test("every reference in the schemas resolves", () => {
  const resolve = createRefResolver(schemas);
  for (const $ref of references(schemas)) assert.ok(resolve({ $ref }), $ref);
});

test.run();
