/** Rules that the judge cannot finish: counted, disabled, and enabled again once they are changed. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, test } from 'node:test';
import { createLog } from '#base';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import { managedParts, rulesetIds } from '#managed';
import { copyGeo, emptyGeoDatabase } from '../../src/traffic/edge/judging/geo.ts';
import { JudgingThread } from '../../src/traffic/edge/judging/thread/judging-thread.ts';
import type { IncomingRequest } from '#edge';
import { RuleEnds } from '#observability';
import { TestControl } from '../control/harness.ts';
import { eventually } from '../eventually.ts';
import { ServedEdge } from './served-edge.ts';

// A thread does not keep the process alive, and here nothing else does.
const keptAlive = setInterval(() => {}, 60_000);
after(() => clearInterval(keptAlive));

const request: IncomingRequest = {
  id: 'ray',
  method: 'GET',
  target: '/',
  httpVersion: '1.1',
  headers: [],
  host: 'shop.example',
  clientAddress: '192.0.2.1',
  peerAddress: '192.0.2.1',
  isSecure: true,
  serverName: 'shop.example',
  connection: { clientPort: 1, serverAddress: '192.0.2.2', serverPort: 443, tls: undefined },
  receivedAtMs: 1_700_000_000_000,
  body: undefined,
};

/** Hangs a judging thread in the rule of the zone. */
async function hang(thread: JudgingThread, configuration: ZoneConfiguration, rule: string): Promise<void> {
  const target = `/loop?zone=${configuration.zone.id}&rule=${rule}`;
  const read = {
    request: { ...request, target },
    body: undefined,
    readings: { target, paths: [target] as const },
    geo: copyGeo(emptyGeoDatabase.find('192.0.2.1')),
    clearance: undefined,
  };
  await thread.judge(new CompiledZone(configuration, managedParts), read).catch(() => {});
}

test('a rule that two threads were ended with is left out, with an event and messages, until it is changed', async () => {
  await using served = await ServedEdge.open();
  await served.serve('enterprise');
  const { control } = served.control;
  const zoneId = served.control.zone('enterprise');
  const filters = await served.do(`POST /zones/${zoneId}/filters`, [
    { expression: 'http.request.uri.path contains "costly"' },
  ]);
  const [filter] = filters.result;
  const created = await served.do(`POST /zones/${zoneId}/firewall/rules`, [
    { action: 'block', filter: { id: filter.id } },
  ]);
  const [{ id: rule }] = created.result;
  const send = async (): Promise<number> => (await served.send('/costly')).status;
  const show = async (): Promise<any> => served.do(`GET /zones/${zoneId}/firewall/rules/${rule}`);
  equal(await send(), 403);

  const lines: any[] = [];
  const log = createLog({ level: 'info', format: 'json', write: (line) => lines.push(JSON.parse(line)) });
  const ends = new RuleEnds({ log, control: () => control });
  const module = new URL('./hanging-thread.ts', import.meta.url);
  let noted = 0;
  const counted = {
    noteRuleEnd: (...end: Parameters<typeof control.noteRuleEnd>) =>
      control.noteRuleEnd(...end).finally(() => noted++),
  };
  const counting = new RuleEnds({ log, control: () => counted });
  const thread = new JudgingThread({ module, onEnd: counting.note });
  const configuration = (await control.configurations.readConfiguration(zoneId))!;
  await hang(thread, configuration, rule);
  await eventually(() => noted === 1, 'the first end');
  equal((await control.configurations.readZone(zoneId))!.outOfForce, undefined);
  deepEqual((await show()).messages, []);
  await hang(thread, configuration, rule);
  await eventually(() => noted === 2, 'the second end');
  thread.close();
  await served.inForce();

  equal(await send(), 200);
  const [message] = (await show()).messages;
  equal(message.code, 11012);
  match(message.message, new RegExp(`^Rule ${rule} is out of force in this zone since `));
  const event = (await served.events()).find(({ ruleId }) => ruleId === 'rule-out-of-force')!;
  deepEqual([event.source, event.action], ['firewallrules', 'log']);
  deepEqual(event.metadata, [{ key: 'out_of_force_rule_id', value: rule }]);
  deepEqual([...counting.metric.read().points], [{ labels: {}, value: 1 }]);
  match(lines[0].message, /^a rule is out of force in its zone/);
  // A late report of another process changes nothing.
  ends.note({ zone: zoneId, rule, reason: 'late' });
  const audit = (await served.do('GET /accounts/' + control.directory.accountId + '/audit_logs')).result;
  equal(audit.filter((each: any) => JSON.stringify(each).includes('rule_out_of_force')).length, 1);

  const expression = 'http.request.uri.path eq "/costly"';
  await served.do(`PUT /zones/${zoneId}/filters/${filter.id}`, { id: filter.id, expression });
  equal(await send(), 403);
  deepEqual((await show()).messages, []);
});

test('Control.noteRuleEnd leaves a managed rule out in its zone only, also after a restart', async () => {
  let control = await TestControl.open();
  try {
    const [zone, other] = [control.zone('enterprise'), control.zone('business')];
    const entryPoint = `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const rules = [{ action: 'execute', expression: 'true', action_parameters: { id: rulesetIds.managed } }];
    const put = async (more: object = {}): Promise<any> =>
      control.call(`PUT ${entryPoint}`, { body: { rules: [{ ...rules[0], ...more }] } });
    await put();
    const catalogue = managedParts.catalogue.rulesets.get(rulesetIds.managed)!;
    const { id: rule } = catalogue.rules[0]!;
    const end = { rule, reason: 'its thread hung' };
    equal(await control.control.noteRuleEnd(zone, end), false);
    control = await control.restart();
    equal(await control.control.noteRuleEnd(zone, end), true);
    equal(await control.control.noteRuleEnd(zone, end), false);
    control = await control.restart();
    const read = async (id: string): Promise<readonly string[]> =>
      ((await control.control.configurations.readZone(id))!.outOfForce ?? []).map((each) => each.rule);
    deepEqual(await read(zone), [rule]);
    deepEqual(await read(other), []);
    const shown: any = await control.call(`GET ${entryPoint}`);
    deepEqual(
      shown.messages.map(({ code }: { code: number }) => code),
      [11012],
    );
    await put({ description: 'looked at' });
    deepEqual(await read(zone), []);
    equal(await control.control.noteRuleEnd(zone, end), false);
  } finally {
    await control.close();
  }
});
