/** Real answers, held against what the OpenAPI document says of them. */
import { equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument, type Operation, type OperationId, operations, Router } from '#api';
import { type Envelope, TestControl } from './harness.ts';

const document = openApiDocument();
const router = new Router<OperationId>(operations);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string, schema: object): ValidateFunction {
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(closed({ ...schema, components: document.components }));
    validators.set(name, validate);
  }
  return validate;
}

/** Objects whose properties are described have no others: an answer does not say more than the document. */
function closed<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as T;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = typeof inner['properties'] === 'object' && inner['additionalProperties'] === undefined;
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as T;
}

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

/** Calls, and holds the answer against the description of its operation. */
async function call(route: string, body?: unknown): Promise<Envelope> {
  const answer = await control.call(route, body === undefined ? {} : { body });
  const { status, headers: _, ...envelope } = answer;
  const [method, target] = route.split(' ') as [string, string];
  const found = router.find(method, target.split('?')[0]!);
  ok(found.kind === 'found', route);
  const { path } = operations[found.id];
  const { responses } = document.paths[path]![method.toLowerCase()] as unknown as Described;
  const { schemas } = document.components as { schemas: { Failure: object } };
  if (status === 204) ok(responses['204'] !== undefined, route);
  else {
    const validate =
      status >= 400
        ? validatorOf('failure', schemas.Failure)
        : validatorOf(found.id, responses['2XX']!.content!['application/json']!.schema);
    equal(
      validate(envelope),
      true,
      `${route}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(envelope)}`,
    );
  }
  return answer;
}

async function made(route: string, body: unknown): Promise<Envelope['result']> {
  const { status, result, errors } = await call(route, body);
  ok(status < 300, `${route}: ${JSON.stringify(errors)}`);
  return Array.isArray(result) ? result[0] : result;
}

test('answers about an account where nothing was done are as described', async () => {
  await readAll();
});

test('answers about filters and firewall rules are as described', async () => {
  const zone = `/zones/${control.zone('pro')}`;
  const filter = await made(`POST ${zone}/filters`, [
    { expression: 'ip.src eq 192.0.2.1', description: 'x', ref: 'y' },
  ]);
  const rule = await made(`POST ${zone}/firewall/rules`, [{ filter: { id: filter.id }, action: 'block' }]);
  await made(`PUT ${zone}/filters/${filter.id}`, { expression: 'ip.src eq 192.0.2.2' });
  await call(`GET ${zone}/filters/${filter.id}`);
  await call(`GET ${zone}/firewall/rules/${rule.id}`);
  await call(`DELETE ${zone}/firewall/rules/${rule.id}`);
  await call(`DELETE ${zone}/filters/${filter.id}`);
  await made(`POST ${zone}/firewall/rules`, [{ filter: { expression: 'true' }, action: 'block' }]);
});

test('answers about lists are as described', async () => {
  const lists = `/accounts/${control.control.founded!.accountId}/rules/lists`;
  const items: [string, unknown][] = [
    ['ip', { ip: '192.0.2.1', comment: 'x' }],
    ['asn', { asn: 13335 }],
    ['hostname', { hostname: { url_hostname: '*.example.com' } }],
    ['redirect', { redirect: { source_url: 'a.example', target_url: 'https://b.example' } }],
  ];
  for (const [kind, item] of items) {
    const list = await made(`POST ${lists}`, { name: kind, kind, description: 'x' });
    const { operation_id } = await made(`POST ${lists}/${list.id}/items`, [item]);
    await call(`GET ${lists}/bulk_operations/${operation_id}`);
    await control.clock.advance(10);
    await call(`GET ${lists}/bulk_operations/${operation_id}`);
    const { result } = await call(`GET ${lists}/${list.id}/items?per_page=1`);
    equal(result.length, 1);
    await call(`GET ${lists}/${list.id}/items/${result[0].id}`);
    await made(`DELETE ${lists}/${list.id}/items`, { items: [{ id: result[0].id }] });
    await made(`PUT ${lists}/${list.id}`, { description: 'y' });
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

/** Every operation that reads and needs to know no more than the zone and the account. */
async function readAll(): Promise<void> {
  const known: Readonly<Record<string, string>> = {
    zone_id: control.zone('pro'),
    account_id: control.control.founded!.accountId,
  };
  for (const { method, path, media } of Object.values<Operation>(operations)) {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
    if (method !== 'GET' || media.length > 0 || !names.every((name) => Object.hasOwn(known, name))) continue;
    await call(`GET ${path.replace(/\{(\w+)\}/g, (_, name: string) => known[name]!)}`);
  }
}
