import { H3 } from 'h3';

const app = new H3();
app.get('/users/:id', (event) => ({ id: event.context.params.id, method: event.req.method }));

export default { fetch: app.fetch };
