import { httpServerHandler } from 'cloudflare:node';
import express from 'express';

const app = express();
app.use(express.json());
app.get('/users/:id', (request, response) => response.json({ id: request.params.id, query: request.query }));
app.post('/users', (request, response) => response.status(201).send(request.body.name));
app.listen(3000);

export default httpServerHandler({ port: 3000 });
