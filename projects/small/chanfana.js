import { fromHono, OpenAPIRoute } from 'chanfana';
import { Hono } from 'hono';
import { z } from 'zod';

class GetUser extends OpenAPIRoute {
  schema = {
    request: { params: z.object({ id: z.string() }) },
    responses: {
      200: {
        description: 'A user',
        content: { 'application/json': { schema: z.object({ id: z.string() }) } },
      },
    },
  };

  async handle() {
    const { params } = await this.getValidatedData();
    return { id: params.id };
  }
}

const app = new Hono();
fromHono(app).get('/users/:id', GetUser);

export default app;
