import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';

const app = new OpenAPIHono();
const params = z.object({ id: z.string().regex(/^\d+$/) });
const user = createRoute({
  method: 'get',
  path: '/users/{id}',
  request: { params },
  responses: { 200: { description: 'a user', content: { 'application/json': { schema: params } } } },
});
app.openapi(user, (context) => context.json({ id: context.req.valid('param').id }));
app.doc('/openapi.json', { openapi: '3.0.0', info: { title: 'users', version: '1' } });

export default app;
