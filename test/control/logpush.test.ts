import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { TestControl } from './harness.ts';

test('logpush jobs are created, changed and deleted, with secrets that are never shown again', async () => {
  const control = await TestControl.open();
  const path = `/zones/${control.zone('pro')}/logpush`;
  const created = await control.call(`POST ${path}/jobs`, {
    body: {
      dataset: 'firewall_events',
      destination_conf: 'https://logs.example/in?header_Authorization=Bearer%20s3cret',
      enabled: true,
      filter: 'http.host eq "shop.example"',
      output_options: { field_names: ['RayID'], timestamp_format: 'rfc3339' },
      ownership_challenge: '',
    },
  });
  const { id, destination_conf: shown } = created.result;
  equal(shown, 'https://logs.example/in?header_Authorization=********');
  const changed = await control.call(`PUT ${path}/jobs/${id}`, {
    body: { destination_conf: shown, name: 'siem', enabled: false },
  });
  deepEqual(
    [changed.result.name, changed.result.enabled, changed.result.filter],
    ['siem', false, 'http.host eq "shop.example"'],
  );
  const found = await control.call(`POST ${path}/validate/destination/exists`, {
    body: { destination_conf: 'https://logs.example/in?header_Authorization=Bearer%20s3cret' },
  });
  equal(found.result.exists, true, 'the secret was kept');
  equal((await control.call(`GET ${path}/jobs`)).result.length, 1);
  equal((await control.call(`GET ${path}/datasets/http_requests/jobs`)).result.length, 0);
  equal((await control.call(`GET ${path}/datasets/http_requests/fields`)).result.ClientIP, 'string');
  const audit = JSON.stringify(await control.call('GET /user/audit_logs'));
  ok(!audit.includes('s3cret'));
  await control.call(`DELETE ${path}/jobs/${id}`);
  const gone = await control.call(`GET ${path}/jobs/${id}`);
  equal(gone.errors[0]?.code, 1002);
  await control.close();
});

test('logpush jobs refuse what could not work, with the field', async () => {
  const control = await TestControl.open();
  const path = `/zones/${control.zone('pro')}/logpush`;
  const good = { dataset: 'http_requests', destination_conf: 'file:///a.log' };
  for (const [change, pointer, words] of [
    [{ destination_conf: 's3://bucket' }, '/destination_conf', /not sent to from here/],
    [{ filter: 'http.hosts eq "a"' }, '/filter', /http\.hosts/],
    [{ filter: '{"where":{"key":"Nope","operator":"eq","value":1}}' }, '/filter', /Nope/],
    [{ output_options: { field_names: ['Nope'] } }, '/output_options/field_names/0', /Nope/],
    [{ output_options: { output_type: 'csv' } }, '/output_options/output_type', /lines of JSON/],
    [{ kind: 'edge' }, '/kind', /must be empty/],
  ] as const) {
    const { errors } = await control.call(`POST ${path}/jobs`, { body: { ...good, ...change } });
    equal(errors[0]?.code, 1010, JSON.stringify(change));
    equal(errors[0]?.source?.pointer, pointer);
    match(errors[0].message, words);
  }
  const checked = await control.call(`POST ${path}/ownership`, { body: { destination_conf: 'file:///a' } });
  equal(checked.result.valid, true);
  await control.close();
});
