import {
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
} from "graphql";
import type { TestServer } from "../helpers/test-server.ts";

/** Introspection query with every option. */
export const introspectionQuery = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Builds the schema from the introspection result. */
export const introspected = async ({ graphql }: TestServer): Promise<GraphQLSchema> => {
  const { data, errors } = await graphql<IntrospectionQuery>(introspectionQuery);
  if (errors) throw new Error(errors[0]?.message);
  return buildClientSchema(data);
};

/** Parses the published SDL. */
export const publishedSdl = async ({ get }: TestServer): Promise<DocumentNode> =>
  parse(await (await get("/graphql/schema.graphql")).text());
