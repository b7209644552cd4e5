/** `gatehouse migrate …` against a real listener, from the check to the end. */
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { realClock } from '#base';
import type { RehearsalReport } from '#rehearsal';
import { type Outcome, runCaptured } from '../../src/program/cli/testing.ts';
import { type ApiServer, serveApi } from '#server';
import { TestControl } from '../control/harness.ts';
import { createEvent } from '../../src/traffic/events/testing.ts';
import { comparingId, MigratingZone, owaspId, scores, signatures } from '../control/migrating-zone.ts';

let control: TestControl;
let server: ApiServer;
let zone: MigratingZone;
let directory: string;
let connection: readonly string[];

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-migrate-test-'));
  control = await TestControl.open({ clock: realClock });
  zone = new MigratingZone(control, 'enterprise');
  const onError = (error: unknown): never => {
    throw error;
  };
  server = await serveApi({
    answer: (request) => control.control.answer(request),
    host: '127.0.0.1',
    port: 0,
    onError,
  });
  connection = ['--api', `${server.url}/client/v4`, '--token', control.control.bootstrapped!.token];
});
after(async () => {
  await server.close({ graceMs: 0 });
  await control.close();
  rmSync(directory, { recursive: true, force: true });
});

function migrate(command: string, ...args: readonly string[]): Promise<Outcome> {
  return runCaptured('migrate', command, zone.name, ...connection, ...args);
}

/** An event from before validation, one of a rule that is watched, and one of the edge itself. */
async function recordBoth(): Promise<void> {
  const at = (id: string, agoMs: number, more: object) => ({
    event: createEvent(id, {
      source: 'firewallManaged',
      action: 'log',
      ruleId: comparingId,
      rulesetId: owaspId,
      datetime: new Date(realClock.now() - agoMs).toISOString(),
      ...more,
    }),
  });
  const events = [
    at('00000000000000a1-TEST-0', 3_600_000, {}),
    at('00000000000000a2-TEST-0', 0, {
      description: 'a score',
      metadata: [{ key: 'waf_score', value: '1000' }],
    }),
    at('00000000000000a3-TEST-0', 0, {
      action: 'block',
      ruleId: 'ambiguous-path',
      rulesetId: '',
      description: 'a path',
    }),
  ];
  await control.control.appendEvents(zone.id, events, 86_400_000);
}

const script = '<script>alert(1)</script>';

/** An access log: ordinary requests, and an attack that only the new rules stop; one line is damaged. */
function writeLog(): string {
  const file = join(directory, 'access.log');
  const line = (target: string, agent: string): string =>
    `203.0.113.9 - - [10/Oct/2026:13:55:36 +0000] "GET ${target} HTTP/1.1" 200 2326 "-" "${agent}"`;
  const lines = Array.from({ length: 40 }, (_, index) =>
    index % 4 === 0 ? line(`/blog/${script}?q=${script}`, script) : line(`/page/${index}`, 'Mozilla/5.0'),
  );
  writeFileSync(file, `${[...lines, 'damaged \u001b[31m line'].join('\n')}\n`);
  return file;
}

test('migrate status, check and plan show the zone, and --json the answers of the API', async () => {
  await zone.setWaf('on');
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'medium', action_mode: 'block' });
  for (const packageId of [signatures, scores]) {
    const path = `/firewall/waf/packages/${packageId}/groups`;
    const { result } = await zone.do(`GET ${path}?per_page=100`);
    for (const { id, name } of result as { id: string; name: string }[])
      if (packageId === signatures || /XSS/.test(name)) await zone.do(`PATCH ${path}/${id}`, { mode: 'off' });
  }
  match((await migrate('status')).stdout, /enterprise\.example +start +enabled +disabled +no/);
  deepEqual(await migrate('check'), { code: 0, stdout: `${zone.name} can migrate.\n`, stderr: '' });
  match(
    (await migrate('plan')).stdout,
    /execute +yes +4814384a9e5d4991b9815dcfc25d2f1f[^]*What is lost:\n {2}/,
  );
  const plan = JSON.parse((await migrate('plan', '--json')).stdout) as { config: object };
  deepEqual(plan.config, (await zone.config()).result);
  const free = await runCaptured('migrate', 'check', 'free.example', ...connection);
  deepEqual([free.code, /cannot migrate/.test(free.stdout)], [3, true]);
});

test('migrate rehearse writes text, JSON and a page that contains no markup of a visitor', async () => {
  const [json, html] = [join(directory, 'report.json'), join(directory, 'report.html')];
  const args = ['--traffic', writeLog(), '--json', json, '--html', html];
  const { code, stdout, stderr } = await migrate('rehearse', ...args, '--fail-on-change');
  equal(code, 3, stderr);
  match(stdout, /10 of 40 requests change \(10 newly stopped, 0 no longer stopped, 0 stopped differently\)/);
  match(stdout, /1 lines could not be read/);
  const report = JSON.parse(readFileSync(json, 'utf8')) as RehearsalReport;
  deepEqual([report.changed.total, report.traffic.unreadable, report.changes.length], [10, 1, 10]);
  ok(report.suggestions.length > 0 && report.changedWithSuggestions!.total === 0);
  // What the levels and thresholds stop is reported before the migration.
  const { planned, thresholds, levels } = report.scores!;
  deepEqual([planned, thresholds], [{ level: 1, threshold: 25, action: 'block' }, [25, 40, 60]]);
  deepEqual(
    levels.map(({ level, stopped, unconfirmed }) => [level, stopped, unconfirmed]),
    [1, 2, 3, 4].map((level) => [level, [10, 10, 0], [0, 0, 0]]),
  );
  match(stdout, /OWASP scores, planned: level 1, threshold 25, block/);
  const page = readFileSync(html, 'utf8');
  doesNotMatch(page, /<script|src=|href=|url\(|@import/i);
  const [, style] = /<style>([^]*?)<\/style>/.exec(page)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  ok(page.includes(`style-src &#39;sha256-${hash}&#39;`), 'the policy allows the style');
  match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  await zone.expectStatus('start', 'enabled', 'disabled');

  // The suggested configuration, rehearsed, changes nothing.
  const edited = join(directory, 'config.json');
  writeFileSync(edited, JSON.stringify(report.configWithSuggestions));
  const again = await migrate('rehearse', '--traffic', writeLog(), '--config', edited, '--fail-on-change');
  deepEqual([again.code, again.stderr], [0, '']);
});

test('migrate rehearse says what is wrong with its input', async () => {
  const empty = join(directory, 'empty.log');
  writeFileSync(empty, 'nothing of the kind\n');
  const cases: [string[], number, RegExp][] = [
    [[], 2, /needs --traffic FILE/],
    [['--traffic', join(directory, 'missing.log')], 1, /missing\.log cannot be read: ENOENT/],
    [['--traffic', empty], 1, /neither an HTTP archive, nor an access log/],
    [['--traffic', empty, '--format', 'har'], 1, /is not an HTTP archive/],
    [['--traffic', empty, '--format', 'log'], 1, /no request for enterprise\.example .*1 unreadable/],
    [['--traffic', writeLog(), '--config', empty], 1, /the configuration .*empty\.log cannot be read/],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await migrate('rehearse', ...args);
    equal(outcome.code, code, outcome.stderr);
    match(outcome.stderr, message);
  }
});

test('migrate validate, compare and finish take the zone to the end, and only with its name', async () => {
  const early = await migrate('compare');
  deepEqual([early.code, /is in the state start: only in validation/.test(early.stderr)], [2, true]);
  const config = ['--config', join(directory, 'config.json')];
  match((await migrate('validate', '--watch', ...config)).stdout, /validation mode: the new rules only log/);
  equal((await zone.do('GET /waf_migration/status')).result.watched, true);
  match((await migrate('compare')).stdout, /No managed rule acted on a request since 20/);
  await recordBoth();
  const compared = (await migrate('compare')).stdout;
  match(
    compared,
    /^1 requests since .*: 0 alike, 1 treated differently\nThe new rules only log; what they would do is compared\./,
  );
  match(compared, /pass {2}-> {2}block \(block 6179ae15870a4bb7b2d480d4843b323c a score\)/);
  match(compared, /Handled by the edge itself, not compared:\n[^]*1 +block +ambiguous-path +a path/);
  const { differ } = JSON.parse((await migrate('compare', '--json', '--since', '7d')).stdout);
  equal(differ, 1);
  // The rules in validation are rehearsed: here the configuration with the suggestions.
  const rehearsed = await migrate('rehearse', '--traffic', writeLog(), '--fail-on-change');
  deepEqual([rehearsed.code, rehearsed.stderr], [0, '']);

  const unconfirmed = await migrate('finish', '--yes', 'other.example');
  deepEqual([unconfirmed.code, unconfirmed.stdout], [3, '']);
  match(unconfirmed.stderr, /nothing was changed: the name is enterprise\.example/);
  await zone.expectStatus('validation', 'enabled', 'enabled');
  match((await migrate('finish', '--yes', zone.name)).stdout, /^enterprise\.example has migrated\.\n/);
  await zone.expectStatus('complete', 'disabled', 'enabled');
  const late = await migrate('rehearse', '--traffic', writeLog());
  deepEqual([late.code, /has migrated already \(state complete\)/.test(late.stderr)], [1, true]);
});
