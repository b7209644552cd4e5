import { DurableObject } from 'cloudflare:workers';
import { operations, preparations } from './operations.js';

const MEGABYTE_ROWS = 1000;

class Bench extends DurableObject {
  prepare(name) {
    return preparations[name](this.ctx);
  }

  operate(name, n) {
    return operations[name](this.ctx, n);
  }

  async increment() {
    const n = ((await this.ctx.storage.get('n')) ?? 0) + 1;
    await this.ctx.storage.put('n', n);
    return n;
  }

  /** A database of about one megabyte. */
  fill() {
    this.ctx.storage.sql.exec(`
      create table m(id integer primary key, t text);
      with recursive s(i) as (values(1) union all select i + 1 from s where i < ${MEGABYTE_ROWS})
        insert into m select i, hex(zeroblob(500)) from s;
    `);
  }

  read(id) {
    return this.ctx.storage.sql.exec('select id, length(t) as n from m where id = ?', id).one();
  }

  touch() {
    this.ctx.storage.sql.exec('create table if not exists one(a); insert into one values (1)');
  }

  /** Stays alive for a while, with its database open. */
  async hold(ms) {
    const { n } = this.ctx.storage.sql.exec('select count(*) as n from one').one();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return n;
  }

  reset() {
    this.ctx.abort('to be woken again');
  }
}

export class SqlBench extends Bench {}
export class KvBench extends Bench {}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/hello') return new Response('hello');
    const namespace = env[searchParams.get('class')];
    const stub = () => namespace.getByName(searchParams.get('name'));
    const answer = await routes[pathname](stub, searchParams, namespace);
    return new Response(String(answer));
  },
};

const routes = {
  '/prepare': (stub, params) => stub().prepare(params.get('what')),
  '/operate': (stub, params) => stub().operate(params.get('operation'), Number(params.get('n'))),
  '/increment': (stub) => stub().increment(),
  '/fill': (stub) => stub().fill(),
  '/read': async (stub, params) => JSON.stringify(await stub().read(Number(params.get('id')))),
  '/reset': (stub) =>
    stub()
      .reset()
      .catch((error) => error.message),
  '/touch': (_, params, namespace) => many(namespace, params, (stub) => stub.touch().then(() => 1)),
  '/hold': (_, params, namespace) => many(namespace, params, (stub) => stub.hold(Number(params.get('ms')))),
};

/** Many objects at once; the sum of what they answered. */
async function many(namespace, params, call) {
  const names = Array.from({ length: Number(params.get('n')) }, (_, i) => `${params.get('name')}-${i}`);
  const answers = await Promise.all(names.map((name) => call(namespace.getByName(name))));
  return answers.reduce((sum, answer) => sum + answer, 0);
}
