/** How a zone is served: URL normalisation, and the fields that its origin gets. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestControl } from './harness.ts';

let control: TestControl;
let zone: string;
beforeEach(async () => {
  control = await TestControl.open();
  zone = `/zones/${control.zone('pro')}`;
});
afterEach(() => control.close());

async function readEdge(): Promise<unknown> {
  const { edge } = (await control.control.configurations.readConfiguration(control.zone('pro')))!;
  return JSON.parse(JSON.stringify(edge));
}

test('urlNormalization.get answers the default, which reaches the origin', async () => {
  deepEqual((await control.call(`GET ${zone}/url_normalization`)).result, {
    type: 'cloudflare',
    scope: 'both',
  });
});

test('urlNormalization.update changes what the edge is told, and delete takes it back', async () => {
  const body = { type: 'rfc3986', scope: 'incoming' };
  await control.call(`PUT ${zone}/edge`, { body: { over_inspection_limit: 'block' } });
  deepEqual((await control.call(`PUT ${zone}/url_normalization`, { body })).result, body);
  deepEqual((await control.call(`GET ${zone}/url_normalization`)).result, body);
  deepEqual(await readEdge(), { overInspectionLimit: 'block', urlNormalization: body });
  await control.call(`PUT ${zone}/edge`, { body: { over_inspection_limit: 'log' } });
  deepEqual(await readEdge(), { overInspectionLimit: 'log', urlNormalization: body });
  equal((await control.call(`DELETE ${zone}/url_normalization`)).status, 204);
  deepEqual(await readEdge(), { overInspectionLimit: 'log' });
});

test('urlNormalization.update refuses other types and scopes, and needs both', async () => {
  for (const body of [
    { type: 'rfc3986' },
    { type: 'none', scope: 'both' },
    { type: 'cloudflare', scope: 'off' },
  ]) {
    const { status, errors } = await control.call(`PUT ${zone}/url_normalization`, { body });
    equal(status, 400);
    match(errors[0]!.message, /scope|type/);
  }
});

test('edge.update takes fields that are withheld from origins, in any case, and no others', async () => {
  const fields = ['X-Real-IP', 'true-client-ip', 'x-real-ip', 'X-Original-URL', 'Proxy'];
  const { result } = await control.call(`PUT ${zone}/edge`, { body: { forwarded_fields: fields } });
  const expected = ['x-real-ip', 'true-client-ip', 'x-original-url', 'proxy'];
  deepEqual(result.forwarded_fields, expected);
  deepEqual((await control.call(`GET ${zone}/edge`)).result, result);
  await control.call(`PUT ${zone}/edge`, { body: { over_inspection_limit: 'block' } });
  deepEqual((await control.call(`GET ${zone}/edge`)).result.forwarded_fields, expected);
  for (const name of ['accept', 'host', 'x-forwarded-for', 'cf-connecting-ip', 'x_real_ip', 'connection']) {
    const body = { forwarded_fields: ['x-real-ip', name] };
    const { status, errors } = await control.call(`PUT ${zone}/edge`, { body });
    equal(status, 400);
    deepEqual(errors, [
      {
        code: 11005,
        message: `edge.api.invalid_forwarded_field: "${name}" is not withheld from origins`,
        source: { pointer: '/forwarded_fields/1' },
      },
    ]);
  }
});

test('edge.update takes a Worker as origin, by a name that runs here, and nothing beside it', async () => {
  const set = (origin: unknown) => control.call(`PUT ${zone}/edge`, { body: { origin } });
  deepEqual((await set({ worker: 'chat' })).result.origin, { worker: 'chat' });
  deepEqual(await readEdge(), { origin: { worker: 'chat' }, overInspectionLimit: 'default' });
  for (const origin of [
    {},
    { worker: 'chat', url: 'https://a.example' },
    { worker: 'chat', verify_tls: true },
  ]) {
    const { status, errors } = await set(origin);
    deepEqual([status, errors[0]!.code], [400, 11001]);
  }
  equal((await set({ worker: 'Not A Name' })).status, 400);
});

test('edge.update takes what becomes of scores that no detector confirms; they act by default, and the answer says otherwise', async () => {
  equal((await control.call(`GET ${zone}/edge`)).result.unconfirmed_scores, 'act');
  for (const [unconfirmed_scores, said] of [
    ['log', [11011]],
    ['act', []],
  ] as const) {
    const { result, messages } = await control.call(`PUT ${zone}/edge`, { body: { unconfirmed_scores } });
    equal(result.unconfirmed_scores, unconfirmed_scores);
    deepEqual(
      messages.map(({ code }) => code),
      said,
    );
    deepEqual(await readEdge(), { overInspectionLimit: 'default', unconfirmedScores: unconfirmed_scores });
  }
  equal((await control.call(`PUT ${zone}/edge`, { body: { unconfirmed_scores: 'block' } })).status, 400);
});

test('edge.update takes what the OWASP rules do with responses, off by default, and the edge is told', async () => {
  equal((await control.call(`GET ${zone}/edge`)).result.response_rules, 'off');
  for (const response_rules of ['log', 'block', 'off']) {
    const { result } = await control.call(`PUT ${zone}/edge`, { body: { response_rules } });
    equal(result.response_rules, response_rules);
    deepEqual(await readEdge(), { overInspectionLimit: 'default', responseRules: response_rules });
  }
  const { status } = await control.call(`PUT ${zone}/edge`, { body: { response_rules: 'challenge' } });
  equal(status, 400);
});
