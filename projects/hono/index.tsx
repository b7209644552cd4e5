import { Hono } from 'hono';
import { upgradeWebSocket } from 'hono/cloudflare-workers';
import { etag } from 'hono/etag';

const app = new Hono<{ Bindings: { GREETING: string } }>();

app.use('/page/*', etag());
app.get('/page/:name', (c) =>
  c.html(
    <p>
      {c.env.GREETING} {c.req.param('name')}
    </p>,
  ),
);
app.post('/sum', async (c) => c.json({ sum: (await c.req.json<number[]>()).reduce((a, b) => a + b, 0) }));
app.get(
  '/ws',
  upgradeWebSocket(() => ({
    onMessage: (event, ws) => ws.send(`echo ${event.data}`),
  })),
);
app.onError((error, c) => c.text(`caught ${error.message}`, 500));
app.get('/fail', () => {
  throw new Error('as asked');
});

export default app;
