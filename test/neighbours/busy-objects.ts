/**
 * A Worker with misbehaving objects. Its responses are JSON: the result of the object's method, or the error of its
 * caller.
 */
export const busyObjects = `
import { DurableObject } from 'cloudflare:workers';

class Countable extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS hits (id INTEGER PRIMARY KEY, text TEXT)');
  }
  pid() { return process.pid; }
  hit() {
    this.ctx.storage.sql.exec('INSERT INTO hits (text) VALUES (?)', 'something to keep');
    return this.ctx.storage.sql.exec('SELECT count(*) AS count FROM hits').one().count;
  }
}

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ';
const large = "printf('%.*c', 1000000, 'a')";

/** Statements that do not come to an end before anybody loses patience, each in another part of SQLite. */
const statements = {
  recursion: endless + 'SELECT max(i) FROM n',
  rows: endless + 'SELECT i FROM n',
  join: endless + ", m(i) AS (SELECT i FROM n LIMIT 100000) SELECT count(*) FROM m a, m b, m c WHERE a.i + b.i + c.i < 0",
  like: endless + "SELECT count(*) FROM n WHERE " + large + " || i LIKE '%b%c%a%d'",
  replace: endless + "SELECT sum(length(replace(" + large + " || i, 'a', 'bb'))) FROM n",
  blobs: endless + 'SELECT max(hex(randomblob(1000000))) FROM n',
  json: endless + "SELECT sum(length(json_set(large.text, '$[0]', i))) FROM n, (SELECT json_group_array(text) AS text FROM hits) large",
  writes: endless + 'INSERT INTO hits (text) SELECT i FROM n',
  trigger: 'INSERT INTO looped VALUES (1)',
  index: 'CREATE INDEX IF NOT EXISTS slow ON hits (' + large + " || text || replace(" + large + ", 'a', text))",
};

export class Attacker extends Countable {
  query(kind) {
    const { sql } = this.ctx.storage;
    if (kind === 'trigger') {
      sql.exec('CREATE TABLE IF NOT EXISTS looped (i)');
      sql.exec('CREATE TRIGGER IF NOT EXISTS loops AFTER INSERT ON looped BEGIN INSERT INTO hits (text) SELECT a.text FROM hits a, hits b, hits c; END');
    }
    if (kind === 'index' || kind === 'json' || kind === 'trigger')
      sql.exec("INSERT INTO hits (text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500) SELECT 'text ' || i FROM n");
    return sql.exec(statements[kind]).toArray().length;
  }
  loop() { for (;;); }
  async loopLater() { await this.ctx.storage.get('nothing'); await null; for (;;); }
  async fill() {
    for (const kept = []; ; await new Promise((resolve) => setImmediate(resolve)))
      kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  }
  async flood() {
    for (let i = 0; i < 200; i++) await this.ctx.storage.put('key ' + (i % 50), i);
    return true;
  }
  async values() {
    const value = new Uint8Array(131_000);
    await this.ctx.storage.put(Object.fromEntries(Array.from({ length: 64 }, (_, i) => ['large ' + i, value])));
    return (await this.ctx.storage.list()).size;
  }
}
export class Victim extends Countable {}

export default {
  async fetch(request, env) {
    const [className, name, method, ...args] = new URL(request.url).pathname.slice(1).split('/');
    try {
      return Response.json((await env[className].getByName(name)[method](...args)) ?? null);
    } catch ({ message, retryable, overloaded }) {
      return Response.json({ message, retryable, overloaded }, { status: 500 });
    }
  },
};`;

/** By the argument of `Attacker.query`. */
export const endlessStatements = [
  'recursion',
  'rows',
  'join',
  'like',
  'replace',
  'blobs',
  'json',
  'writes',
  'trigger',
  'index',
] as const;
