import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { TestControl } from './harness.ts';

const path = (control: TestControl): string => `/accounts/${control.control.directory.accountId}/alerting/v3`;

test('a policy tells its webhook once in its interval, again after a failure, and never shows the secret', async () => {
  const received: { readonly auth: unknown; readonly body: Record<string, unknown> }[] = [];
  let status = 500;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    received.push({ auth: request.headers['cf-webhook-auth'], body: JSON.parse(body) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const control = await TestControl.open({ origins: { allowPrivate: true } });
  const base = path(control);
  const { result: hook } = await control.call(`POST ${base}/destinations/webhooks`, {
    body: { name: 'chat', url, secret: 's3cret' },
  });
  const { result: policy } = await control.call(`POST ${base}/policies`, {
    body: {
      name: 'disk',
      alert_type: 'gatehouse_disk_filling',
      mechanisms: { webhooks: [{ id: hook.id }] },
    },
  });
  const alert = {
    type: 'gatehouse_disk_filling',
    subject: 'disk',
    title: 'nearly full',
    text: '9 %',
  } as const;
  await control.control.raiseAlert(alert);
  await control.control.raiseAlert(alert);
  await control.control.raiseAlert({ ...alert, type: 'real_origin_monitoring' });
  const readHistory = async () => (await control.call(`GET ${base}/history`)).result;
  await control.clock.advance(1);
  await eventually(async () => /500/.test((await readHistory())[0]?.problem ?? ''), 'the first attempt');
  status = 200;
  await eventually(async () => {
    await control.clock.advance(10_000);
    return (await readHistory())[0].sent !== null;
  }, 'the second attempt');
  equal((await readHistory()).length, 1, 'the same thing is told once');
  equal(received.length, 2);
  deepEqual([received[1]!.auth, received[1]!.body['policy_id']], ['s3cret', policy.id]);
  equal(received[1]!.body['name'], 'nearly full');
  const dashed = hook.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  equal((await control.call(`GET ${base}/destinations/webhooks/${dashed}`)).result.id, hook.id);
  const shown = await control.call(`GET ${base}/destinations/webhooks/${hook.id}`);
  ok(shown.result.last_success !== null && !JSON.stringify(shown).includes('s3cret'));
  const sentBack = await control.call(`PUT ${base}/destinations/webhooks/${hook.id}`, {
    body: { ...shown.result, name: 'another' },
  });
  deepEqual([sentBack.status, sentBack.result.id], [200, hook.id]);
  ok(!JSON.stringify(await control.call('GET /user/audit_logs')).includes('s3cret'));
  equal((await control.call(`DELETE ${base}/destinations/webhooks/${hook.id}`)).errors[0]?.code, 17_005);
  await control.call(`DELETE ${base}/policies/${policy.id}`);
  await control.call(`DELETE ${base}/destinations/webhooks/${hook.id}`);
  equal((await control.call(`GET ${base}/policies`)).result.length, 0);
  await control.close();
  server.close();
});

test('policies refuse what could not be told, with the field', async () => {
  const control = await TestControl.open();
  const base = path(control);
  const good = { name: 'p', alert_type: 'gatehouse_disk_filling', mechanisms: {} };
  for (const [change, pointer, words] of [
    [{}, '/mechanisms', /at least one/],
    [{ mechanisms: { pagerduty: [{ id: 'x' }] } }, '/mechanisms/pagerduty', /use a webhook/],
    [{ mechanisms: { email: [{ id: 'a@b.example' }] } }, '/mechanisms/email', /mail_server/],
    [{ mechanisms: { webhooks: [{ id: 'nope' }] } }, '/mechanisms/webhooks/0/id', /no webhook nope/],
  ] as const) {
    const { errors } = await control.call(`POST ${base}/policies`, { body: { ...good, ...change } });
    equal(errors[0]?.code, 17_003, JSON.stringify(change));
    equal(errors[0]?.source?.pointer, pointer);
    match(errors[0].message, words);
  }
  const file = await control.call(`POST ${base}/destinations/webhooks`, {
    body: { name: 'w', url: 'file:///etc/passwd' },
  });
  equal(file.errors[0]?.source?.pointer, '/url');
  equal((await control.call(`GET ${base}/destinations/eligible`)).result.email.ready, false);
  ok('WAF' in (await control.call(`GET ${base}/available_alerts`)).result);
  await control.close();
});
