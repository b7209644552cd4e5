import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openTestProject } from './open-test-project.ts';

const files: Readonly<Record<string, string>> = {
  'wrangler.jsonc': JSON.stringify({
    name: 'shop',
    main: 'src/index.ts',
    compatibility_date: '2026-04-01',
    durable_objects: { bindings: [{ name: 'CARTS', class_name: 'Cart' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Cart'] }],
    kv_namespaces: [{ binding: 'NOTES', id: 'notes' }],
    d1_databases: [{ binding: 'GOODS', database_id: 'goods' }],
  }),
  'src/index.ts': `
    import { DurableObject } from 'cloudflare:workers';
    export class Cart extends DurableObject {
      things = 0;
      async add() {
        this.things++;
        this.ctx.storage.kv.put('things', this.things);
        await this.ctx.storage.setAlarm(Date.now() + 3_600_000);
        return this.things;
      }
      async alarm() { throw new Error('the alarm has failed'); }
    }
    export default {
      async fetch(request: Request, env: any, ctx: any) {
        ctx.waitUntil(env.NOTES.put('seen', new URL(request.url).pathname));
        const outside = await env.SUPPLIER.fetch(request);
        return new Response(\`\${await env.CARTS.getByName('one').add()} \${await outside.text()}\`);
      },
    };`,
};

function createProject(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-project-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('openTestProject runs a project for tests of node:test, with the functions of cloudflare:test', async (t) => {
  const configPath = join(createProject(t), 'wrangler.jsonc');
  await using project = await openTestProject({
    wrangler: { configPath },
    miniflare: { serviceBindings: { SUPPLIER: () => new Response('from afar') } },
  });
  const { env, SELF } = project;
  equal(await (await SELF.fetch('https://shop.example/a')).text(), '1 from afar');
  const cart = env.CARTS.getByName('one');
  equal(await project.runInDurableObject(cart, (instance: { things: number }) => instance.things), 1);
  deepEqual((await project.listDurableObjectIds(env.CARTS)).map(String), [
    String(env.CARTS.idFromName('one')),
  ]);
  await rejects(project.runDurableObjectAlarm(cart), /the alarm has failed/);
  equal(await project.runDurableObjectAlarm(cart), false);
  await project.evictDurableObject(cart);
  await rejects(project.evictDurableObject(cart), /not currently running/);
  equal(await cart.add(), 1);
  await project.applyD1Migrations(env.GOODS, [{ name: '1', queries: ['CREATE TABLE goods (name TEXT)'] }]);
  await project.applyD1Migrations(env.GOODS, [{ name: '1', queries: ['CREATE TABLE goods (name TEXT)'] }]);
  await project.reset();
  deepEqual(await project.listDurableObjectIds(env.CARTS), []);
  await rejects(async () => await env.GOODS.prepare('SELECT * FROM goods').all(), /no such table/);
});

test('openTestProject refuses what Gatehouse does not have by name', async (t) => {
  const configPath = join(createProject(t), 'wrangler.jsonc');
  const cases: ReadonlyArray<readonly [options: object, message: RegExp]> = [
    [{ isolatedStorage: true }, /isolatedStorage .* call reset\(\)/],
    [{ wranglr: {} }, /wranglr .* is not supported by Gatehouse.*did you mean wrangler/i],
    [{ wrangler: { configPath }, miniflare: { fetchMock: {} } }, /miniflare\.fetchMock .* outboundService/],
    [
      { wrangler: { configPath }, miniflare: { kvNamespaces: 1 } },
      /miniflare\.kvNamespaces must be an object/,
    ],
    [{ wrangler: { configPath }, miniflare: { outboundService: 'x' } }, /outboundService must be a function/],
    [{ wrangler: { configPath }, miniflare: { workers: [{}] } }, /workers\[0\]\.name is missing/],
    [{ wrangler: { configPath }, miniflare: { workers: [{ name: 'a' }] } }, /must have modules: true/],
    [{ wrangler: { configPath, environment: 'nowhere' } }, /there is no environment "nowhere"/],
    [{ wrangler: { configPath: `${configPath}.gone` } }, /names a file that does not exist/],
    [{ main: 'nowhere.ts' }, /the main module of the Worker does not exist/],
    [{}, /openTestProject\(\) needs the Worker under test/],
  ];
  for (const [options, message] of cases) await rejects(openTestProject(options), message);
});
