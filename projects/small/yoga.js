import { createSchema, createYoga } from 'graphql-yoga';

const schema = createSchema({
  typeDefs: 'type Query { user(id: ID!): User } type User { id: ID! name: String }',
  resolvers: { Query: { user: (_parent, { id }) => ({ id, name: `user ${id}` }) } },
});

export default { fetch: createYoga({ schema, graphqlEndpoint: '/' }).fetch };
