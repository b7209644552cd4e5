/** What an uploaded Worker can reach outside itself, from a handler and from an object. */
import { equal, match, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { domain, UploadSite } from '../wrangler/upload-site.ts';
import { reachWorker } from './reach-worker.ts';

const calm = "export default { fetch: () => new Response('calm') };";
const object = {
  bindings: [
    { type: 'durable_object_namespace', name: 'DOOR', class_name: 'Door' },
    { type: 'plain_text', name: 'GREETING', text: 'hello' },
  ],
  migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Door'] }] },
};

/** Returns the folders of both. */
async function deploy(site: UploadSite): Promise<{ readonly own: string; readonly other: string }> {
  const folder = join(site.directory, 'data', 'workers');
  const hostile = await site.deploy('hostile', { code: reachWorker, metadata: object });
  ok(hostile.success, JSON.stringify(hostile.errors) + site.server.stderr);
  const [own] = readdirSync(folder);
  ok((await site.deploy('calm', { code: calm })).success);
  for (const name of ['hostile', 'calm'])
    await eventually(async () => (await site.ask(`${name}.${domain}`)).status === 200, `${name} serves`);
  const other = readdirSync(folder).find((name) => name !== own);
  return { own: join(folder, own!), other: join(folder, other!) };
}

function post(
  site: UploadSite,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: string }> {
  return site.ask(`hostile.${domain}`, path, { method: 'POST', body: JSON.stringify(body) });
}

test('an uploaded Worker has one restricted process, no environment, no listeners and no files but its own', async (t) => {
  const site = await UploadSite.start(t, { environment: { SECRET_OF_THE_SHELL: 'seen' } });
  const { own, other } = await deploy(site);
  const folder = join(site.directory, 'data');
  const files = [
    ...['certificates.key', 'certificates.key.copy', 'edge.secret', 'edge.secret.copy']
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file)),
    join(other, 'gatehouse.json'),
    join(site.directory, 'ready.json'),
    '/etc/passwd',
  ];
  for (const path of ['/look', '/object/look']) {
    const { body } = await post(site, path, { files, folder, own });
    const { found, secrets, doors } = JSON.parse(body) as Record<string, Record<string, any>>;
    for (const [road, said] of Object.entries(found!)) {
      if (typeof said === 'string') continue;
      const { env, send, handles, ...rest } = said as Record<string, string>;
      equal(env, '', `${path} ${road}: the environment`);
      ok(send === 'undefined' || send!.startsWith('refused'), `${path} ${road}: send ${send}`);
      for (const [name, result] of Object.entries({ handles, ...rest }))
        match(`${result}`, /^refused|^undefined$/, `${path} ${road}: ${name}`);
    }
    for (const [file, said] of Object.entries(secrets!))
      for (const [how, result] of Object.entries(said as object))
        match(`${result}`, /^refused: /, `${path} ${file}: ${how}`);
    for (const [door, result] of Object.entries(doors!)) match(`${result}`, /refused/, `${path} ${door}`);
    const seen = Object.values(found!).filter((each) => typeof each !== 'string').length;
    ok(seen >= 10, `roads that lead to a process: ${seen}`);
  }
  equal(readFileSync('/etc/passwd', 'utf8').endsWith('x'), false);
});
