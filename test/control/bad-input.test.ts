/**
 * Requests with every kind of invalid body, for every operation of the route table: all are refused and change nothing.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { requestBodyBytesMax, type Operation, operations } from '#contract';
import { TestControl } from './harness.ts';

type Schema = Readonly<Record<string, unknown>>;
type Row = readonly [id: string, operation: Operation];

interface Expected {
  readonly status?: number;
  readonly code?: number;
  readonly pointer?: string;
  /** Of the content. */
  readonly type?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly errors: readonly { readonly code: number; readonly source?: { readonly pointer: string } }[];
}

let control: TestControl;
let headers: Readonly<Record<string, string>>;
let state: readonly string[];

const rows = Object.entries<Operation>(operations);
const withBody = rows.filter(([, { body }]) => body !== undefined);

before(async () => {
  control = await TestControl.open();
  const { email, key } = control.control.bootstrapped!;
  headers = { 'x-auth-email': email, 'x-auth-key': key };
  await furnish();
  state = await readableState();
  for (const id of Object.values(known))
    ok(
      state.some((text) => text.includes(id)),
      `nothing shows ${id}`,
    );
});
after(() => control.close());

/** Existing resources that a call could damage, by the family and the name in paths. */
const known: Record<string, string> = {};

function isKnown(id: string, name: string): boolean {
  return name === 'zone_id' || name === 'account_id' || known[`${id.split('.')[0]}.${name}`] !== undefined;
}

async function furnish(): Promise<void> {
  const zone = `/zones/${control.zone('enterprise')}`;
  const make = async (route: string, body: unknown): Promise<{ id: string }> => {
    const { status, result, errors } = await control.call(route, { body });
    ok(status < 300, `${route}: ${JSON.stringify(errors)}`);
    return Array.isArray(result) ? result[0] : result;
  };
  const filter = { expression: 'ip.src eq 192.0.2.1' };
  const lists = `/accounts/${control.control.bootstrapped!.accountId}/rules/lists`;
  known['filters.filter_id'] = (await make(`POST ${zone}/filters`, [filter])).id;
  known['lists.list_id'] = (await make(`POST ${lists}`, { name: 'kept', kind: 'ip' })).id;
  await make(`POST ${lists}/${known['lists.list_id']}/items`, [{ ip: '192.0.2.1' }]);
  await control.clock.advance(10);
  const rule = { filter: { expression: 'ip.src eq 192.0.2.2' }, action: 'block' };
  known['firewallRules.rule_id'] = (await make(`POST ${zone}/firewall/rules`, [rule])).id;
}

/** The operation's path: real where it names a zone or the account, of the right form elsewhere. */
function pathOf([id, { path, segments }]: Row): string {
  const [family] = id.split('.');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'zone_id') return control.zone('enterprise');
    if (name === 'account_id') return control.control.bootstrapped!.accountId;
    const existing = known[`${family}.${name}`];
    if (existing !== undefined) return existing;
    const pattern = segments[name];
    return pattern === undefined ? '0'.repeat(32) : sampleOf(pattern);
  });
}

const samples = new Map<string, string>();

/** Made once for each pattern: it takes milliseconds. */
function sampleOf(pattern: RegExp): string {
  let sample = samples.get(pattern.source);
  if (sample === undefined) {
    sample = fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: 1 })[0]!;
    samples.set(pattern.source, sample);
  }
  return sample;
}

/** A body of more bytes than may be read. */
const tooLarge = Symbol('too large');

async function send(
  { method, path }: { readonly method: string; readonly path: string },
  body: string | Uint8Array | typeof tooLarge = '',
  type = 'application/json',
): Promise<Answer> {
  const answer = await control.control.answer({
    method,
    target: `/client/v4${path}`,
    headers: { ...headers, ...(body === '' ? {} : { 'content-type': type }) },
    address: '127.0.0.1',
    readBody: async () => (body === tooLarge ? 'too-large' : Buffer.from(body)),
  });
  const text = typeof answer.body === 'string' ? answer.body : '';
  const { errors = [] } = (text.startsWith('{') ? JSON.parse(text) : {}) as Partial<Answer>;
  return { status: answer.status, text, errors };
}

/** All readable data, the audit log included. */
async function readableState(): Promise<string[]> {
  const isReadable = ([id, { method, path }]: Row): boolean =>
    method === 'GET' && Array.from(path.matchAll(/\{(\w+)\}/g)).every(([, name]) => isKnown(id, name!));
  const answers: string[] = [];
  // Without a range, the points depend on the clock.
  const ranges: Readonly<Record<string, string>> = {
    'traffic.get': '?since=2025-12-31T00:00:00Z&until=2025-12-31T01:00:00Z&interval=1h',
  };
  for (const row of rows.filter(isReadable)) {
    const path = `${pathOf(row)}${ranges[row[0]] ?? ''}`;
    answers.push(`${row[0]} ${(await send({ method: 'GET', path })).text}`);
  }
  return answers;
}

/** A failure in the envelope, with a code, without internal details. */
function checkRefused({ status, text, errors }: Answer, what: string): void {
  ok(status >= 400 && status < 500 && status !== 409, `${what}: ${status} ${text.slice(0, 300)}`);
  const envelope = JSON.parse(text) as Record<string, unknown>;
  deepEqual(
    [envelope['success'], envelope['result'], Array.isArray(envelope['messages'])],
    [false, null, true],
    what,
  );
  ok(
    errors.length > 0 && errors.every(({ code }) => Number.isInteger(code)),
    `${what}: ${text.slice(0, 300)}`,
  );
  ok(text.length < 64 * 1024, `${what}: an answer of ${text.length} characters`);
  ok(!/\n\s+at |\.ts:\d|node:internal|SQLITE/.test(text), `${what}: ${text.slice(0, 300)}`);
}

/** The operation refuses the body with this code and, if given, this pointer. */
async function refuses(
  row: Row,
  what: string,
  body: Parameters<typeof send>[1],
  expected: Expected = {},
): Promise<void> {
  const [id, operation] = row;
  const route = { method: operation.method, path: pathOf(row) };
  const answer = await send(route, body, expected.type);
  checkRefused(answer, `${id}, ${what}`);
  if (expected.status !== undefined) equal(answer.status, expected.status, `${id}, ${what}`);
  if (expected.code !== undefined)
    equal(answer.errors[0]!.code, expected.code, `${id}, ${what}: ${answer.text}`);
  if (expected.pointer !== undefined) {
    const pointers = answer.errors.map(({ source }) => source?.pointer);
    ok(pointers.includes(expected.pointer), `${id}, ${what}: ${pointers.join(' ')}`);
  }
}

/** Rulesets have their own error codes, and are checked when everything else about the call is valid. */
function isReadByFirewall([id]: Row, pointer: string): boolean {
  if (id === 'bundle.import') return pointer.startsWith('/rulesets/0/rules/');
  return id.startsWith('rulesets.') || id.startsWith('accountRulesets.');
}

/**
 * The body, and how it is refused: by the shape of the operation, or by the handler if the shape allows any value
 * there.
 */
function wrongAt([, { body }]: Row, value: unknown, pointer: string): [body: string, expected: Expected] {
  const problems: { readonly pointer: string }[] = [];
  body!.read(value, '', problems as never);
  const isOfShape = problems.some((problem) => problem.pointer === pointer);
  return [JSON.stringify(value), isOfShape ? { ...invalidJson, pointer } : {}];
}

/** The audit log and all other data are unchanged. */
async function checkUnchanged(): Promise<void> {
  await nextWindow();
  deepEqual(await readableState(), state);
}

/** Of the rate limit. */
async function nextWindow(): Promise<void> {
  await control.clock.advance(5 * 60 * 1000);
}

const invalidJson = { status: 400, code: 10026 };

test('every operation with a body refuses bytes that are not its JSON', async () => {
  const broken: readonly [string, Parameters<typeof send>[1], object][] = [
    ['no body in its place', ' ', invalidJson],
    ['broken JSON', '{"a":', invalidJson],
    ['two values', '{} {}', invalidJson],
    ['a key twice', '[{"expression":"true","expression":"false"}]', invalidJson],
    ['a key twice, escaped', '{"name":"a","n\\u0061me":"b"}', invalidJson],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', invalidJson],
    ['deep nesting', '['.repeat(100_000), invalidJson],
    ['deep objects', '{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000), invalidJson],
    ['a number beyond doubles', '[1e999]', invalidJson],
    ['half a surrogate pair', '["\\ud83d"]', invalidJson],
    ['bytes that are not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), invalidJson],
    ['UTF-16', Buffer.from('{}', 'utf16le'), invalidJson],
    ['a body over the limit', tooLarge, { status: 413, code: 10413 }],
    ['text', '{}', { status: 415, code: 10415, type: 'text/plain' }],
    ['a form', 'a=b', { status: 415, code: 10415, type: 'application/x-www-form-urlencoded' }],
    ['a type that begins like JSON', '{}', { status: 415, code: 10415, type: 'application/jsonp' }],
  ];
  for (const row of withBody) {
    for (const [what, body, expected] of broken) {
      // Wrangler sends JSON as text, or large bodies.
      const isTaken =
        what === 'text'
          ? row[1].takesText
          : what === 'a body over the limit' && row[1].bodyBytesMax !== undefined;
      if (!isTaken) await refuses(row, what, body, expected);
    }
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation with a body refuses the wrong kind of value', async () => {
  const manyItems = JSON.stringify(Array(10_000).fill({ nothing: 'known' }));
  const manyFields = JSON.stringify(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])),
  );
  const longKey = JSON.stringify({ ['k'.repeat(requestBodyBytesMax / 16)]: 1 });
  for (const row of withBody) {
    for (const value of ['text', 5, true, null])
      await refuses(row, String(value), ...wrongAt(row, value, ''));
    const isList = branches(row[1].body!.schema).some(({ type }) => type === 'array');
    if (isList) await refuses(row, 'an array in an array', '[[]]');
    else await refuses(row, 'an array', ...wrongAt(row, [], ''));
    await refuses(row, '10,000 items', manyItems);
    await refuses(row, '10,000 fields', manyFields);
    await refuses(row, 'a very long key', longKey);
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation with a body points at each field it does not know, wherever it is', async () => {
  for (const row of withBody) {
    for (const { value, pointer } of strangers(row[1].body!.schema, '')) {
      const expected = isReadByFirewall(row, pointer) ? {} : { ...invalidJson, pointer };
      await refuses(row, `a stranger at ${pointer}`, JSON.stringify(value), expected);
    }
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation with a body refuses values without measure', async () => {
  const huge = { string: 'x'.repeat(requestBodyBytesMax / 16), integer: 1e300, number: -1e308 } as const;
  for (const row of withBody) {
    for (const { type, pointer, around } of leaves(row[1].body!.schema, '', (value) => value)) {
      await refuses(row, `something huge at ${pointer}`, ...wrongAt(row, around(huge[type]), pointer));
    }
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation refuses query parameters that are not what they should be', async () => {
  for (const row of rows) {
    const [id, operation] = row;
    for (const [name, { schema }] of Object.entries(operation.query)) {
      const isText =
        schema['type'] === 'string' && schema['enum'] === undefined && schema['format'] === undefined;
      if (isText || schema['type'] === 'array') continue;
      const path = `${pathOf(row)}?${name}=%E2%98%83`;
      const answer = await send({ method: operation.method, path }, operation.body === undefined ? '' : '{}');
      checkRefused(answer, `${id} with ${name}`);
      equal(answer.errors[0]!.code, 10027, `${id} with ${name}`);
    }
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation refuses two values of a parameter that has one', async () => {
  for (const row of rows) {
    const [id, operation] = row;
    for (const [name, { schema }] of Object.entries(operation.query)) {
      if (schema['type'] === 'array') continue;
      const path = `${pathOf(row)}?${name}=1&${name}=2`;
      const answer = await send({ method: operation.method, path }, operation.body === undefined ? '' : '{}');
      checkRefused(answer, `${id} with ${name}`);
      equal(answer.errors[0]!.code, 10027, `${id} with ${name}`);
    }
    await nextWindow();
  }
  await checkUnchanged();
});

test('every write without a dry run refuses to be asked for one', async () => {
  const writes = rows.filter(([, { isWrite, query }]) => isWrite && !('dry_run' in query));
  for (const row of writes) {
    const [id, { method, body }] = row;
    const path = `${pathOf(row)}?dry_run=true`;
    const answer = await send({ method, path }, body === undefined ? '' : '{}');
    checkRefused(answer, id);
    equal(answer.errors[0]!.code, 10027, id);
    await nextWindow();
  }
  await checkUnchanged();
});

test('every operation is found by no other spelling of its path', async () => {
  const tricks: ((path: string) => string)[] = [
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => `/x/..${path}`,
    (path) => path.replace(/\/([^/]+)$/, '/%2e/$1'),
    (path) => path.replace(/\/([^/]+)$/, '%2F$1'),
    (path) => path.replace(/\/([^/]+)$/, ';x/$1'),
    (path) => path.replace(/\/(\w)/, '/\u0000$1'),
    (path) => `${path}%00`,
  ];
  // The path segment of a value's key may be any text.
  const strict = rows.filter(([, { path }]) => !/\{key_name\}|\/objects(?:$|\/\{object_key)/.test(path));
  for (const row of strict) {
    const [id, operation] = row;
    for (const trick of tricks) {
      const path = trick(pathOf(row));
      const answer = await send({ method: operation.method, path });
      checkRefused(answer, `${id} as ${path}`);
      deepEqual(
        [answer.status, ...answer.errors.map(({ code }) => code)],
        [404, 7003, 7000],
        `${id} as ${path}`,
      );
    }
  }
  await checkUnchanged();
});

function branches(schema: Schema): readonly Schema[] {
  return (schema['anyOf'] as readonly Schema[] | undefined) ?? [schema];
}

function propertiesOf(schema: Schema): [string, Schema][] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
}

/** Bodies with one unknown field, in each object of the schema that names its fields. */
function* strangers(schema: Schema, pointer: string): Generator<{ value: unknown; pointer: string }> {
  for (const branch of branches(schema)) {
    if (branch['type'] === 'array') {
      for (const inner of strangers(branch['items'] as Schema, `${pointer}/0`))
        yield { ...inner, value: [inner.value] };
    } else if (branch['additionalProperties'] === false) {
      yield { value: { stranger: 1 }, pointer: `${pointer}/stranger` };
      for (const [name, property] of propertiesOf(branch))
        for (const inner of strangers(property, `${pointer}/${name}`))
          yield { ...inner, value: { [name]: inner.value } };
    }
  }
}

type LeafType = 'string' | 'integer' | 'number';

/** Every text or number in the schema, with a function that builds a body around it. */
function* leaves(
  schema: Schema,
  pointer: string,
  around: (value: unknown) => unknown,
): Generator<{ type: LeafType; pointer: string; around: (value: unknown) => unknown }> {
  for (const branch of branches(schema)) {
    const type = branch['type'];
    if (type === 'string' || type === 'integer' || type === 'number') {
      if (branches(schema).every((other) => other['type'] === type || other['type'] === 'null'))
        yield { type, pointer, around };
    } else if (type === 'array') {
      yield* leaves(branch['items'] as Schema, `${pointer}/0`, (value) => around([value]));
    } else if (type === 'object') {
      for (const [name, property] of propertiesOf(branch))
        yield* leaves(property, `${pointer}/${name}`, (value) => around({ [name]: value }));
    }
  }
}
