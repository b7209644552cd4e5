import { createDurable, withDurables } from 'itty-durable';
import { Router } from 'itty-router';

export class Counter extends createDurable({ autoReturn: true, autoPersist: true }) {
  constructor(state, env) {
    super(state, env);
    this.counter = 0;
  }

  increment() {
    this.counter++;
  }

  add(a, b) {
    return a + b;
  }
}

const router = Router();

router
  .all('*', withDurables({ parse: true }))
  .get('/increment', async ({ Counter }) => Response.json(await Counter.get('test').increment()))
  .get('/add', async ({ Counter }) => Response.json(await Counter.get('test').add(3, 4)));

export default { fetch: (request, env, ctx) => router.fetch(request, env, ctx) };
