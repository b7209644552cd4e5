/** Drizzle and Kysely on D1, Hono on R2, and a queue whose consumer writes to KV. */
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Hono } from 'hono';
import { Kysely } from 'kysely';
import { D1Dialect } from 'kysely-d1';

const people = sqliteTable('people', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  active: integer('active', { mode: 'boolean' }),
  born: integer('born', { mode: 'timestamp' }),
  extra: text('extra', { mode: 'json' }),
  picture: blob('picture'),
});

const app = new Hono<{ Bindings: any }>();

app.get('/drizzle', async (c) => {
  await c.env.DB.exec(
    'CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, active INTEGER, born INTEGER, extra TEXT, picture BLOB)',
  );
  const database = drizzle(c.env.DB);
  const [ann] = await database
    .insert(people)
    .values({
      name: 'ann',
      active: true,
      born: new Date(1000),
      extra: { a: 1 },
      picture: new Uint8Array([1, 2]),
    })
    .returning();
  const [, everybody, renamed] = await database.batch([
    database.insert(people).values({ name: 'bob' }),
    database.select({ name: people.name }).from(people),
    database.update(people).set({ name: 'eve' }).where(eq(people.name, 'bob')).returning({ id: people.id }),
  ]);
  const { meta } = await database.run(sql`UPDATE people SET name = upper(name)`);
  return c.json({ ann, everybody, renamed, changes: meta.changes });
});

app.get('/kysely', async (c) => {
  const database = new Kysely<any>({ dialect: new D1Dialect({ database: c.env.DB }) });
  const { insertId } = await database.insertInto('people').values({ name: 'kay' }).executeTakeFirstOrThrow();
  const rows = await database
    .selectFrom('people')
    .select(['id', 'name'])
    .where('name', 'like', 'A%')
    .execute();
  return c.json({ insertId: Number(insertId), rows });
});

app.put('/files/:name', async (c) => {
  const { size, httpEtag } = await c.env.FILES.put(c.req.param('name'), c.req.raw.body, {
    httpMetadata: c.req.raw.headers,
  });
  return c.json({ size, httpEtag });
});

app.get('/files/:name', async (c) => {
  const { headers: asked } = c.req.raw;
  const object = await c.env.FILES.get(c.req.param('name'), { range: asked, onlyIf: asked });
  const headers = new Headers();
  object.writeHttpMetadata(headers);
  headers.set('etag', object.httpEtag);
  if (object.body === undefined) return new Response(null, { status: 304, headers });
  return new Response(object.body, { status: asked.has('range') ? 206 : 200, headers });
});

app.post('/greet', async (c) => {
  await c.env.GREETINGS.sendBatch((await c.req.json()).map((body: string) => ({ body })));
  return c.json('sent');
});

app.get('/greeted', async (c) => c.json((await c.env.KV.list({ prefix: 'greeted/' })).keys));

export default {
  fetch: app.fetch,
  async queue(batch: any, env: any) {
    for (const { body, attempts } of batch.messages)
      await env.KV.put(`greeted/${body}`, '', { metadata: { attempts, together: batch.messages.length } });
  },
};
