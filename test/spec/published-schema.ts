import {
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
} from "graphql";
import type { TestServer } from "../helpers/test-server.ts";

/** Everything a tool may ask of introspection. */
export const introspectionQuery = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** The schema as introspection tells it. */
export const introspected = async ({ graphql }: TestServer): Promise<GraphQLSchema> => {
  const { data, errors } = await graphql<IntrospectionQuery>(introspectionQuery);
  if (errors) throw new Error(errors[0]?.message);
  return buildClientSchema(data);
};

/** The schema as its published text tells it. */
export const publishedSdl = async ({ get }: TestServer): Promise<DocumentNode> =>
  parse(await (await get("/graphql/schema.graphql")).text());
