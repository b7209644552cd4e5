import SchemaBuilder from '@pothos/core';
import { createYoga } from 'graphql-yoga';

const builder = new SchemaBuilder({});
builder.queryType({
  fields: (t) => ({
    double: t.int({ args: { n: t.arg.int({ required: true }) }, resolve: (_, { n }) => n * 2 }),
  }),
});

export default {
  fetch: createYoga({ schema: builder.toSchema(), graphqlEndpoint: '/', graphiql: false }).fetch,
};
