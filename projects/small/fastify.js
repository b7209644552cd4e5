import { handleAsNodeRequest } from 'cloudflare:node';
import Fastify from 'fastify';

const app = Fastify({ pluginTimeout: 0 });
app.get('/users/:id', async (request) => ({ id: request.params.id }));
app.post('/users', async (request, reply) => reply.code(201).send(request.body.name));

export default {
  async fetch(request) {
    await app.ready();
    return handleAsNodeRequest(app.server, request);
  },
};
