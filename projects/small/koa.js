import { httpServerHandler } from 'cloudflare:node';
import Koa from 'koa';

const app = new Koa();
app.use(async (context, next) => {
  await next();
  context.set('x-by', 'koa');
});
app.use((context) => {
  context.body = { path: context.path, query: { ...context.query } };
});
app.listen(3001);

export default httpServerHandler({ port: 3001 });
