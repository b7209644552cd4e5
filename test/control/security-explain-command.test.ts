/** `gatehouse explain` against a real listener, about requests that real rules judged. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { explainJudgement } from '#events';
import { CompiledZone, ManagedPrograms } from '#firewall';
import { managedRulesets, legacyPackages } from '#managed';
import { requestFrom } from '#request';
import { explainCommand, explainEvent } from '../../src/program/cli/commands/explain.ts';
import { parseArguments } from '../../src/program/cli/parse-arguments.ts';
import { type ApiServer, serveApi } from '#server';
import { TestControl } from './harness.ts';
import { eventId, SecurityZone } from './security-zone.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let server: ApiServer;
let zone: SecurityZone;
let name: string;
let options: readonly string[];
let token: string;

before(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'enterprise');
  ({ name } = control.control.directory.zones.get(zone.id)!);
  server = await serveApi({
    answer: (request) => control.control.answer(request),
    host: '127.0.0.1',
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  token = (await makeToken(control, { groups: ['Analytics Read', 'Zone Read'] })).value;
  options = ['--api', `${server.url}/client/v4`, '--token', token];
  await judgeAndRecord();
});
after(async () => {
  await server.close({ graceMs: 0 });
  await control.close();
});

async function explain(...args: string[]): Promise<string> {
  return explainEvent(parseArguments(explainCommand, args));
}

/** A request that three rules act on, in the log as the edge would have written it. */
async function judgeAndRecord(): Promise<void> {
  const rules = [
    { action: 'log', expression: 'http.request.method eq "GET"', description: 'all reading' },
    {
      action: 'skip',
      expression: 'http.user_agent contains "monitor"',
      action_parameters: { phases: ['http_request_firewall_managed'] },
      logging: { enabled: true },
    },
    { action: 'block', expression: 'http.request.uri.path contains "/admin" and not ip.src in {10.0.0.0/8}' },
  ];
  const route = `PUT /zones/${zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  equal((await control.call(route, { body: { rules } })).status, 200);
  const configuration = (await control.control.configurations.readConfiguration(zone.id))!;
  const catalogue = { rulesets: managedRulesets, legacyPackages };
  const compiled = new CompiledZone(configuration, { catalogue, programs: new ManagedPrograms() });
  const view = requestFrom({
    url: `https://${name}/admin/x`,
    ip: '192.0.2.1',
    headers: { 'User-Agent': 'monitor/1' },
  });
  const judgement = compiled.judge({ view });
  deepEqual(
    judgement.triggered.map(({ action }) => action),
    ['log', 'skip', 'block'],
  );
  await zone.record(
    judgement.triggered.map(({ action, source, ruleId, rulesetId, description }, place) => ({
      number: 1,
      id: eventId(1, place),
      action,
      source,
      ruleId,
      rulesetId,
      description,
      matchIndex: 2 - place,
      clientRequestPath: '/admin/x',
    })),
    explainJudgement(compiled, view, judgement),
  );
  // The output for an anomaly package: a score, and its sources.
  const tree = { text: 'http.request.uri.query contains "union"', result: 'true' } as const;
  await zone.record([{ number: 2, action: 'block', source: 'waf', ruleId: '981176', rulesetId: 'package' }], {
    version: 3,
    steps: [],
    rules: [
      {
        source: 'waf',
        ruleId: '981176',
        rulesetId: 'package',
        action: 'block',
        description: 'Inbound Anomaly Score Exceeded',
        score: {
          total: 45,
          threshold: 40,
          contributions: [{ ruleId: '950001', description: 'SQL injection', score: 45, tree }],
        },
      },
    ],
  });
}

test('gatehouse explain prints the steps and the tree of every rule, and marks the one of the event', async () => {
  const stdout = await explain(eventId(1, 2), '--zone', name, ...options);
  match(
    stdout,
    /^Blocked: .*\.\nblock by firewallCustom rule [0-9a-f]{32}; "\/admin" in http\.request\.uri\.path at 0\n {2}event {4}0{15}1-TEST-2\n/,
  );
  match(
    stdout,
    /firewallCustom \(http_request_firewall_custom\), ruleset \w+ of the zone, version 1: 3 of 3 rules, matched: /,
  );
  match(stdout, /log by firewallCustom rule \w+: all reading\n {2}true {2}http\.request\.method eq "GET"/);
  match(stdout, /skip by firewallCustom rule \w+\n/);
  match(
    stdout,
    /<- this event\n {2}true {2}http\.request\.uri\.path contains .*\n {4}true {2}http\.request\.uri\.path contains "\/admin" {4}http\.request\.uri\.path = "\/admin\/x" \("\/admin" at 0\)\n/,
  );
  match(stdout, /false {2}ip\.src in \{10\.0\.0\.0\/8\} {4}ip\.src = "192\.0\.2\.1"/);
  for (const [place, action] of [
    [0, 'log'],
    [1, 'skip'],
  ]) {
    const other = await explain(eventId(1, Number(place)), ...options);
    match(other, new RegExp(`\\n${action} by firewallCustom`));
    match(other, new RegExp(`${action} by .*<- this event`));
  }
});

test('gatehouse explain shows where a score comes from', async () => {
  const stdout = await explain(eventId(2), '--zone', zone.id, ...options);
  match(stdout, /score 45, the threshold is 40\n {2}45 of rule 950001: SQL injection\n {4}true {2}http/);
});

test('gatehouse explain takes the id of a request, a ready file, and prints JSON', async () => {
  const file = join(control.directory, 'ready-for-test.json');
  writeFileSync(file, JSON.stringify({ api: `${server.url}/client/v4`, token }));
  const stdout = await explain(eventId(1).slice(0, -2), '--ready-file', file, '--json');
  const { event, explanation } = JSON.parse(stdout);
  deepEqual([event.id, event.action, explanation.rules.length], [eventId(1, 2), 'block', 3]);
});

test('gatehouse explain prints an exception that a shell can run', async () => {
  const stdout = await explain(eventId(1, 2), '--zone', name, ...options);
  const [, line] = /^to create an exception for http\.host eq .*\n {2}# .*\n {2}(curl .*)\n$/m.exec(stdout)!;
  const writer = await makeToken(control, { groups: ['Zone WAF Write'] });
  const { stdout: answered } = await promisify(execFile)('sh', ['-c', `${line} -s`], {
    env: {
      PATH: process.env['PATH'],
      API: `${server.url}/client/v4`,
      AUTHORIZATION: `Authorization: Bearer ${writer.value}`,
    },
  });
  const { success, result } = JSON.parse(answered);
  equal(success, true, answered);
  const actions = result.rules.map(({ action }: { action: string }) => action);
  deepEqual(actions, ['log', 'skip', 'skip', 'block']);
});

test('gatehouse explain says what is wrong', async () => {
  const cases: [args: string[], name: string, message: RegExp][] = [
    [[eventId(9), ...options], 'CommandError', /no zone has an event/],
    [
      [eventId(1), '--zone', 'other.example', ...options],
      'CommandError',
      /has no zone other\.example that this token may read/,
    ],
    [['hello', ...options], 'UsageError', /an event id looks like/],
    [[eventId(1)], 'UsageError', /needs --ready-file, --api or CLOUDFLARE_BASE_URL/],
    [[eventId(1), '--api', `${server.url}/client/v4`], 'UsageError', /needs credentials: --token/],
    [
      [eventId(1), '--api', `${server.url}/client/v4`, '--token', 'x'.repeat(40)],
      'ApiError',
      /refused GET .*: Invalid access token \(9109\)/,
    ],
    [
      [eventId(1), '--api', 'http://127.0.0.1:1/client/v4', '--token', 'x'],
      'ConnectionError',
      /does not answer/,
    ],
  ];
  for (const [args, name, message] of cases) {
    await rejects(explain(...args), { name, message });
  }
});
