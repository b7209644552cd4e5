import { Elysia, t } from 'elysia';

const app = new Elysia({ aot: false })
  .get('/users/:id', ({ params }) => ({ id: params.id }))
  .post('/users', ({ body }) => body.name, { body: t.Object({ name: t.String() }) });

export default { fetch: app.fetch };
