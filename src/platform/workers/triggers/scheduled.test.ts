import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { createProject, startWorker, writeFiles } from '../testing.ts';
import { serveScheduled } from './scheduled-route.ts';

function cronProject(crons: readonly string[]): object {
  return { main: 'index.js', triggers: { crons } };
}

const worker = `
  const fired = [];
  export default {
    async scheduled({ cron, scheduledTime, type }, env, ctx) {
      fired.push([type, cron, new Date(scheduledTime).toISOString(), new Date().toISOString()]);
      if (cron === 'throw') throw new Error('as asked');
      ctx.waitUntil(Promise.resolve());
    },
    fetch: () => Response.json(fired),
  };`;

test('scheduled events are fired by hand at the addresses of Wrangler', async (t) => {
  const directory = createProject(t, { 'wrangler.json': cronProject([]), 'index.js': worker });
  const { worker: running, fetch } = await startWorker(t, { path: directory });
  const handler = serveScheduled(running, (request) => fetch(new URL(request.url).pathname));
  const ask = async (path: string): Promise<Response> => await handler(new Request(`http://a.test${path}`));
  const fired = await ask('/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=1000');
  deepEqual([fired.status, await fired.text()], [200, 'ok']);
  const json = await ask('/cdn-cgi/local/scheduled?format=json&time=2000');
  deepEqual(await json.json(), { outcome: 'ok' });
  equal((await ask('/cdn-cgi/handler/scheduled?time=x')).status, 400);
  await rejects(ask('/cdn-cgi/handler/scheduled?cron=throw'), { message: 'as asked' });
  const seen = (await (await ask('/')).json()) as string[][];
  deepEqual(
    seen.slice(0, 2).map((each) => each.slice(0, 3)),
    [
      ['scheduled', '* * * * *', '1970-01-01T00:00:01.000Z'],
      ['scheduled', '', '1970-01-01T00:00:02.000Z'],
    ],
  );
  equal(await (await ask('/cdn-cgi/other')).text(), await (await ask('/')).text());

  writeFiles(directory, { 'index.js': 'export default { fetch: () => new Response() };' });
  await running.reload();
  const none = await ask('/cdn-cgi/handler/scheduled');
  deepEqual([none.status, await none.text()], [500, 'the Worker exports no scheduled()']);
});

test('scheduled events fire when their time has come, if time is virtual', async (t) => {
  const clock = new VirtualClock({ start: Date.parse('2030-01-01T00:00:00Z') });
  const directory = createProject(t, { 'wrangler.json': cronProject(['0 * * * *']), 'index.js': worker });
  const { worker: running, said, text } = await startWorker(t, { path: directory, clock });
  await clock.advance(2 * 3_600_000);
  const at = (time: string): string[] => ['scheduled', '0 * * * *', time, time];
  deepEqual(JSON.parse(await text('/')), [at('2030-01-01T01:00:00.000Z'), at('2030-01-01T02:00:00.000Z')]);
  running.useCrons(['15 * * * *']);
  await clock.advance(3_600_000);
  deepEqual((JSON.parse(await text('/')) as string[][]).slice(2), [
    ['scheduled', '15 * * * *', '2030-01-01T02:15:00.000Z', '2030-01-01T02:15:00.000Z'],
  ]);
  writeFiles(directory, { 'wrangler.json': cronProject(['no cron']) });
  await running.reload();
  match(said.join('\n'), /triggers\.crons: "no cron" is not a cron expression: it must have five fields/);
  writeFiles(directory, { 'wrangler.json': cronProject(['30 3 * * *']) });
  await running.reload();
  await clock.advance(3_600_000);
  deepEqual(JSON.parse(await text('/')), [
    ['scheduled', '30 3 * * *', '2030-01-01T03:30:00.000Z', '2030-01-01T03:30:00.000Z'],
  ]);
});
