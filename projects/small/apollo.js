import { ApolloServer } from '@apollo/server';
import { startServerAndCreateCloudflareWorkersHandler } from '@as-integrations/cloudflare-workers';

const server = new ApolloServer({
  typeDefs: 'type Query { hello: String }',
  resolvers: { Query: { hello: () => 'hello' } },
  csrfPrevention: false,
});

export default { fetch: startServerAndCreateCloudflareWorkersHandler(server) };
