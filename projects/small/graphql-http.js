import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/fetch';

export default {
  fetch: createHandler({
    schema: buildSchema('type Query { hello(name: String!): String }'),
    rootValue: { hello: ({ name }) => `hello ${name}` },
  }),
};
