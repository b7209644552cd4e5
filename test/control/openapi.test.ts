/** Real responses, validated against the OpenAPI document. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, operations } from '#contract';
import { type Envelope, TestControl } from './harness.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

/** Calls an operation; the harness validates the response against the document. */
function call(route: string, body?: unknown): Promise<Envelope> {
  return control.call(route, body === undefined ? {} : { body });
}

async function create(route: string, body: unknown): Promise<Envelope['result']> {
  const { status, result, errors } = await call(route, body);
  ok(status < 300, `${route}: ${JSON.stringify(errors)}`);
  return Array.isArray(result) ? result[0] : result;
}

test('answers about an account where nothing was done are as described', async () => {
  await readAll();
});

test('answers about filters and firewall rules are as described', async () => {
  const zone = `/zones/${control.zone('pro')}`;
  const filter = await create(`POST ${zone}/filters`, [
    { expression: 'ip.src eq 192.0.2.1', description: 'x', ref: 'y' },
  ]);
  const rule = await create(`POST ${zone}/firewall/rules`, [{ filter: { id: filter.id }, action: 'block' }]);
  await create(`PUT ${zone}/filters/${filter.id}`, { expression: 'ip.src eq 192.0.2.2' });
  await call(`GET ${zone}/filters/${filter.id}`);
  await call(`GET ${zone}/firewall/rules/${rule.id}`);
  await call(`DELETE ${zone}/firewall/rules/${rule.id}`);
  await call(`DELETE ${zone}/filters/${filter.id}`);
  await create(`POST ${zone}/firewall/rules`, [{ filter: { expression: 'true' }, action: 'block' }]);
});

test('answers about lists are as described', async () => {
  const lists = `/accounts/${control.control.bootstrapped!.accountId}/rules/lists`;
  const items: [string, unknown][] = [
    ['ip', { ip: '192.0.2.1', comment: 'x' }],
    ['asn', { asn: 13335 }],
    ['hostname', { hostname: { url_hostname: '*.example.com' } }],
    ['redirect', { redirect: { source_url: 'a.example', target_url: 'https://b.example' } }],
  ];
  for (const [kind, item] of items) {
    const list = await create(`POST ${lists}`, { name: kind, kind, description: 'x' });
    const { operation_id } = await create(`POST ${lists}/${list.id}/items`, [item]);
    await call(`GET ${lists}/bulk_operations/${operation_id}`);
    await control.clock.advance(10);
    await call(`GET ${lists}/bulk_operations/${operation_id}`);
    const { result } = await call(`GET ${lists}/${list.id}/items?per_page=1`);
    equal(result.length, 1);
    await call(`GET ${lists}/${list.id}/items/${result[0].id}`);
    await create(`DELETE ${lists}/${list.id}/items`, { items: [{ id: result[0].id }] });
    await create(`PUT ${lists}/${list.id}`, { description: 'y' });
  }
});

test('answers about an account with something in it are as described', async () => {
  await readAll();
});

test('failures are as described', async () => {
  const zone = `/zones/${control.zone('pro')}`;
  await call(`GET ${zone}/filters/${'0'.repeat(32)}`);
  await call(`POST ${zone}/filters`, [{ expression: 'nonsense' }, {}]);
  await call(`POST ${zone}/filters`, '{');
  await call(`GET /zones/${'0'.repeat(32)}/filters`);
});

test('per_page is served within the bounds that are documented, and refused above them', async () => {
  const known = knownIds();
  const listed = Object.values<Operation>(operations).filter(
    ({ path, query, media }) => 'per_page' in query && media.length === 0 && isKnown(path, known),
  );
  let asked = 0;
  for (const { path, query } of listed) {
    const { minimum, default: usual, maximum } = query['per_page']!.schema;
    const max = Number(maximum);
    const list = `GET ${fillPath(path, known)}`;
    for (const [sent, served] of [
      ['', usual],
      ['per_page=0', minimum],
      [`per_page=${max}`, max],
    ]) {
      const { result_info } = await call(`${list}?${String(sent)}`);
      if (result_info?.['per_page'] === undefined) continue;
      equal(result_info['per_page'], served, `${path}?${String(sent)}`);
      asked++;
    }
    const { status, errors } = await call(`${list}?per_page=${max + 1}`);
    deepEqual([status, errors.map(({ code }) => code)], [400, [10027]], path);
    equal(errors[0]!.message.endsWith(`per_page must be at most ${max}: ${max + 1}`), true);
  }
  ok(listed.length >= 12, `only ${listed.length} lists have pages`);
  ok(asked >= 24, `only ${asked} answers name the size of their page`);
});

/** Every read operation whose only parameters are the zone and the account. */
async function readAll(): Promise<void> {
  const known = knownIds();
  for (const { method, path, media } of Object.values<Operation>(operations)) {
    if (method === 'GET' && media.length === 0 && isKnown(path, known))
      await call(`GET ${fillPath(path, known)}`);
  }
}

type Known = Readonly<Record<string, string>>;

function knownIds(): Known {
  return { zone_id: control.zone('pro'), account_id: control.control.bootstrapped!.accountId };
}

function isKnown(path: string, known: Known): boolean {
  return Array.from(path.matchAll(/\{(\w+)\}/g)).every(([, name]) => Object.hasOwn(known, name!));
}

function fillPath(path: string, known: Known): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => known[name]!);
}
