/** A Worker of the configuration, with its own stores, objects and workflow: it is built from a project. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const configuration = {
  name: 'flow',
  main: 'index.js',
  compatibility_date: '2026-08-01',
  workflows: [{ binding: 'ORDERS', name: 'orders', class_name: 'Order' }],
  durable_objects: { bindings: [{ name: 'NOTES', class_name: 'Notes' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Notes'] }],
  kv_namespaces: [{ binding: 'CACHE', id: 'own' }],
  d1_databases: [{ binding: 'DB', database_name: 'own', database_id: 'own' }],
  r2_buckets: [{ binding: 'FILES', bucket_name: 'own' }],
};

const code = `
import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers';
export class Order extends WorkflowEntrypoint {
  async run(event, step) {
    const invoice = await step.do('write the invoice', async () => ({ item: event.payload.item, id: crypto.randomUUID() }));
    await this.env.CACHE.put('invoice', invoice.id);
    const { payload } = await step.waitForEvent('wait for the payment', { type: 'paid', timeout: '300 days' });
    return invoice.id + ' is paid by ' + payload;
  }
}
export class Notes extends DurableObject {
  add(text) { this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS notes (text)'); this.ctx.storage.sql.exec('INSERT INTO notes VALUES (?)', text); }
  read() { return this.ctx.storage.sql.exec('SELECT text FROM notes').toArray(); }
}
export default {
  async fetch(request, env) {
    const notes = env.NOTES.getByName('book');
    switch (new URL(request.url).pathname) {
      case '/make':
        await env.ORDERS.create({ id: 'one', params: { item: 'a hat' } });
        await env.DB.exec('CREATE TABLE t (n)');
        await env.DB.exec('INSERT INTO t VALUES (1), (2)');
        await env.FILES.put('file', 'of the Worker itself');
        await notes.add('a note');
        return new Response('made');
      case '/pay':
        await (await env.ORDERS.get('one')).sendEvent({ type: 'paid', payload: 'card' });
        return new Response('paid');
      case '/status':
        return Response.json(await (await env.ORDERS.get('one')).status());
      default:
        return Response.json({
          invoice: await env.CACHE.get('invoice'),
          rows: (await env.DB.prepare('SELECT n FROM t').all()).results,
          file: await (await env.FILES.get('file')).text(),
          notes: await notes.read(),
        });
    }
  },
};`;

/** Writes it below a folder; returns the flags of `serve` that run it. */
export function writeFlow(folder: string): string[] {
  const project = join(folder, 'flow');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(configuration));
  writeFileSync(join(project, 'index.js'), code);
  return ['--workers', 'flow=./flow'];
}
