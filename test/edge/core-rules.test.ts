/** OWASP rules that are installed, replaced and removed while `gatehouse serve` runs with two workers. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseRules, installTestRules } from '../core-rules.ts';
import { eventually } from '../eventually.ts';
import { TestOrigin } from './test-origin.ts';
import { WorkerSite } from './worker-site.ts';

const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const lastId = '6179ae15870a4bb7b2d480d4843b323c';
const entryPoint =
  'rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1';

/** Stopped by every version of the rules. */
const always = '/?q=%3Cscript%3Ealert(1)%3C/script%3E';
/** Stopped by the second version only. */
const later = '/?q=evil-word&r=other-word';

/** Both workers answer this way when this many new connections in a row do. */
async function untilAll(site: WorkerSite, path: string, status: number): Promise<void> {
  let inRow = 0;
  await eventually(async () => {
    inRow = (await site.send(path)).status === status ? inRow + 1 : 0;
    return inRow >= 30;
  }, `${path} is answered with ${status}`);
}

test('OWASP rules are taken over while the server runs, by every worker, without a request that nobody judges', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  const data = join(site.directory, 'data');
  const advice = /OWASP Core Rule Set is not installed[^]*gatehouse crs install --data /;
  await eventually(() => advice.test(site.server.stdout), 'what it prints');
  await site.call(`PUT /zones/${site.zone.id}/edge`, { origin: { url: origin.url } });
  await site.call(`PUT /zones/${site.zone.id}/${entryPoint}`, {
    rules: [
      // Something has to protect the zone while the ruleset is not installed.
      {
        action: 'execute',
        expression: 'http.request.uri.path eq "/elsewhere"',
        action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
      },
      {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: owaspId, overrides: { rules: [{ id: lastId, score_threshold: 40 }] } },
      },
    ],
  });
  await untilAll(site, '/', 200);
  equal((await site.send(always)).status, 200);

  installTestRules(data);
  await untilAll(site, always, 403);
  await untilAll(site, later, 200);

  // Back and forth, under load.
  installTestRules(data, {
    version: '2.0.0',
    rules: `SecRule ARGS "@pm evil-word" "id:54110,phase:2,block,msg:'A word',tag:'paranoia-level/1',setvar:'tx.inbound_anomaly_score_pl1=+40'"\n`,
  });
  const end = new AbortController();
  const statuses = new Map<number, number>();
  const visitors = Array.from({ length: 3 }, async () => {
    while (!end.signal.aborted) {
      const { status } = await site.send(always);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  chooseRules(data, '2.0.0');
  await untilAll(site, later, 403);
  chooseRules(data, '1.0.0');
  await untilAll(site, later, 200);
  end.abort();
  await Promise.all(visitors);
  deepEqual([...statuses.keys()], [403]);

  // A worker that starts later has the rules from its first request on.
  const [victim] = site.listWorkers();
  process.kill(victim!, 'SIGKILL');
  await eventually(() => !site.listWorkers().includes(victim!));
  await site.awaitWorkers();
  await untilAll(site, always, 403);

  chooseRules(data, undefined);
  await untilAll(site, always, 200);
  equal(await site.server.end('SIGTERM'), 0);
  ok(!site.server.stderr.includes('could not'), site.server.stderr);
  match(
    readFileSync(join(data, 'crs', 'versions', '1.0.0', 'manifest.json'), 'utf8'),
    /"version": "1\.0\.0"/,
  );
});
