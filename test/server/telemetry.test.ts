/** `gatehouse serve` with a collector: traces from the visitor to the origin, and every metric that docs/operate/monitoring.md names. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createAuthority, issueCertificate } from '#certificates';
import { eventually } from '../eventually.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { RawClient } from '../edge/wire/raw-client.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';
import { type CollectedSpan, OtlpCollector } from './otlp-collector.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

interface Served {
  readonly server: Gatehouse;
  readonly ready: ReadyFacts;
  readonly zone: { readonly id: string; readonly name: string };
  readonly directory: string;
  call(route: string, body?: object, headers?: Record<string, string>): Promise<{ readonly id: string }>;
  /** Sends a request to the edge and returns its status and id. */
  visit(
    path: string,
    options?: { readonly host?: string; readonly fields?: string },
  ): Promise<readonly [number, string]>;
}

async function serve(
  t: TestContext,
  collector: OtlpCollector,
  args: readonly string[] = [],
): Promise<Served> {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, {
    directory,
    args: [
      ...['--admin-port', '0', '--allow-private-origins', 'true', '--otlp-endpoint', collector.url],
      ...['--otlp-trace-sample', '1', '--otlp-metrics-interval', '100ms', ...args],
    ],
    environment: { GATEHOUSE_OTLP_HEADERS: 'x-token=abc, x-other=d', GATEHOUSE_EDGE_WORKERS: '1' },
  });
  const zone = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const port = Number(new URL((ready as unknown as { edge: string }).edge).port);
  return {
    server,
    ready,
    zone,
    directory,
    async call(route, body, headers = {}) {
      const [method, path] = route.split(' ') as [string, string];
      const answer = await fetch(ready.api + path, {
        method,
        headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      equal(answer.status, 200, `${route}: ${text}`);
      return (JSON.parse(text) as { result: { id: string } }).result;
    },
    async visit(path, { host = zone.name, fields = '' } = {}) {
      const client = await RawClient.connect(port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`);
      const { status, headers } = (await client.response())!;
      client.socket.destroy();
      return [status, headers.get('cf-ray')!];
    },
  };
}

async function findSpans(collector: OtlpCollector, requestId: string): Promise<readonly CollectedSpan[]> {
  const find = (): CollectedSpan | undefined =>
    collector.spans.find(({ attributes }) => attributes['gatehouse.request_id'] === requestId);
  await eventually(() => find() !== undefined, `a span of ${requestId}`);
  const root = find()!;
  return [root, ...collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)];
}

test('gatehouse serve traces a request from the visitor to the origin, and trusts no visitor with the trace', async (t) => {
  await using collector = await OtlpCollector.listen();
  await using origin = await TestOrigin.listen();
  const { server, zone, call, visit } = await serve(t, collector);
  await call(`PUT /zones/${zone.id}/edge`, { origin: { url: origin.url } });
  await eventually(async () => (await visit('/'))[0] === 200);
  origin.take();
  const forged = `traceparent: 00-${traceId}-${spanId}-01\r\ntracestate: them=1\r\n`;
  const [, id] = await visit('/a?secret=1', { fields: forged });
  const { headers } = origin.take()[0]!;
  equal(await server.end('SIGTERM'), 0);
  equal(collector.problem, undefined);

  const [root, ...steps] = await findSpans(collector, id);
  deepEqual(
    steps.map(({ name, kind }) => [name, kind]),
    [
      ['judge', 1],
      ['GET origin', 3],
    ],
  );
  notEqual(root!.traceId, traceId);
  equal(root!.parentSpanId, undefined);
  equal(headers['traceparent'], `00-${root!.traceId}-${steps[1]!.spanId}-01`);
  equal(headers['tracestate'], '');
  const { attributes } = root!;
  deepEqual(
    [attributes['http.response.status_code'], attributes['url.path'], attributes['gatehouse.zone']],
    [200, '/a', zone.name],
  );
  equal(steps[1]!.attributes['server.port'], Number(new URL(origin.url).port));
  deepEqual([collector.headers[0]!['x-token'], collector.headers[0]!['x-other']], ['abc', 'd']);
  equal(root!.resource['service.name'], 'gatehouse');
});

test('gatehouse serve continues the trace of a trusted proxy, and of a client of the API on this machine', async (t) => {
  await using collector = await OtlpCollector.listen();
  await using origin = await TestOrigin.listen();
  const { server, zone, call, visit } = await serve(t, collector, ['--trusted-proxies', '127.0.0.1']);
  const traceparent = `00-${traceId}-${spanId}-01`;
  await call(`PUT /zones/${zone.id}/edge`, { origin: { url: origin.url } }, { traceparent });
  await eventually(async () => (await visit('/'))[0] === 200);
  origin.take();
  const [, id] = await visit('/a', { fields: `traceparent: ${traceparent}\r\ntracestate: them=1\r\n` });
  const [, unsampled] = await visit('/b', { fields: `traceparent: 00-${traceId}-${spanId}-00\r\n` });
  const [first, second] = origin.take();
  equal(await server.end('SIGTERM'), 0);

  const [root, , asked] = await findSpans(collector, id);
  deepEqual([root!.traceId, root!.parentSpanId], [traceId, spanId]);
  equal(first!.headers['traceparent'], `00-${traceId}-${asked!.spanId}-01`);
  equal(first!.headers['tracestate'], 'them=1');
  // A trace that the proxy does not record is not recorded here, and the origin is informed.
  match(String(second!.headers['traceparent']), new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  equal(
    collector.spans.find(({ attributes }) => attributes['gatehouse.request_id'] === unsampled),
    undefined,
  );
  const api = collector.spans.find(({ name }) => name === 'edge.update')!;
  deepEqual(
    [api.traceId, api.parentSpanId, api.attributes['http.response.status_code']],
    [traceId, spanId, 200],
  );
});

const monitoringPage = readFileSync(new URL('../../docs/operate/monitoring.md', import.meta.url), 'utf8');

interface Shown {
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly isSeen: boolean;
}

/** The families of a page of metrics. */
function readMetrics(page: string): Map<string, Shown> {
  const families = new Map<string, Shown>();
  for (const [, name, help, type] of page.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)) {
    const samples = [...page.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? `, 'gm'))];
    const labels = samples.flatMap(([, text = '']) =>
      [...text.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    );
    const shown = [...new Set(labels)].filter((label) => label !== 'le');
    families.set(name!, { type: type!, help: help!, labels: shown, isSeen: samples.length > 0 });
  }
  return families;
}

test('gatehouse serve: docs/operate/monitoring.md lists every metric with its type, labels and meaning', async (t) => {
  await using collector = await OtlpCollector.listen();
  await using origin = await TestOrigin.listen();
  const { server, ready, zone, directory, call, visit } = await serve(t, collector);
  await call(`PUT /zones/${zone.id}/edge`, { origin: { url: origin.url } });
  await eventually(async () => (await visit('/'))[0] === 200);
  await visit('/', { fields: 'Bad Name: x\r\n' });
  const issuer = createAuthority('Test authority', Date.now());
  const issued = issueCertificate(issuer, [zone.name], Date.now());
  await call(`POST /zones/${zone.id}/custom_certificates`, {
    certificate: issued.certificate.toString(),
    private_key: issued.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const data = join(directory, 'data');
  const scrubbed = ['.', ...readdirSync(data).filter((name) => /^host-\d+$/.test(name))];
  for (const folder of scrubbed)
    writeFileSync(join(data, folder, 'last-scrub.json'), '{"finishedAtMs":1790000000000,"problems":0}');
  const { hostname: address, port } = new URL(origin.url);
  const balancing = `/accounts/${ready.account_id}/load_balancers`;
  const origins = [{ name: 'one', address, port: Number(port) }];
  const { id: pool } = await call(`POST ${balancing}/pools`, { name: 'p', origins });
  const pools = { default_pools: [pool], fallback_pool: pool };
  await call(`POST /zones/${zone.id}/load_balancers`, { name: zone.name, ...pools });
  await call(`POST /zones/${zone.id}/logpush/jobs`, {
    dataset: 'http_requests',
    enabled: true,
    filter: 'http.request.uri.path eq "/pushed"',
    destination_conf: 'file:///requests.ndjson?files=0',
    output_options: { field_names: ['ClientRequestURI', 'EdgeResponseStatus', 'ZoneName'] },
  });
  const file = join(data, 'logpush-files', 'requests.ndjson');
  await eventually(async () => {
    await visit('/pushed?a=1');
    return existsSync(file) && readFileSync(file, 'utf8').includes('\n');
  }, 'a request that was pushed');
  deepEqual(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!), {
    ClientRequestURI: '/pushed?a=1',
    EdgeResponseStatus: 200,
    ZoneName: zone.name,
  });
  let families = new Map<string, Shown>();
  await eventually(async () => {
    await visit('/');
    families = readMetrics(await (await fetch(`${ready.admin}/metrics`)).text());
    // It has no samples for an undamaged directory: `test/damage/` has them.
    families.delete('gatehouse_out_of_service');
    return [...families.values()].every(({ isSeen }) => isSeen);
  }, 'a sample of every metric');
  const rows = [...families]
    // Those of object hosts have a separate table, because there may be none.
    .filter(([name]) => !name.startsWith('gatehouse_object_host'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([name, { type, help, labels }]) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |\n`,
    );
  const table = `| metric | type | labels | meaning |\n|---|---|---|---|\n${rows.join('')}`;
  ok(monitoringPage.includes(table), `the page lacks:\n${table}`);

  // The collector gets the same ones.
  await eventually(
    () => [...families.keys()].every((name) => collector.metrics.has(name)),
    'every metric over OTLP',
  );
  equal(collector.problem, undefined);
  equal(await server.end('SIGTERM'), 0);
});

test('the Grafana board asks only for metrics that docs/operate/monitoring.md lists, by labels that they have', () => {
  const board = readFileSync(new URL('../../examples/grafana/gatehouse.json', import.meta.url), 'utf8');
  const listed = new Map(
    [...monitoringPage.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \|/gm)].map(([, name, type, labels]) => [
      name!,
      { type: type!, labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
    ]),
  );
  const expressions: string[] = [];
  JSON.parse(board, (key, value: unknown) => {
    if (key === 'expr' && typeof value === 'string') expressions.push(value);
    return value;
  });
  ok(expressions.length > 20, `${expressions.length} queries`);
  const unknown: string[] = [];
  for (const expression of expressions) {
    const asked = [...expression.matchAll(/\b((?:gatehouse|process)_\w+)(?:\{([^}]*)\})?/g)];
    ok(asked.length > 0, expression);
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) =>
      labels!.split(/,\s*/),
    );
    for (const [, name, selector = ''] of asked) {
      const family = name!.replace(/_(?:bucket|sum|count)$/, '');
      const metric =
        listed.get(name!) ?? (listed.get(family)?.type === 'histogram' ? listed.get(family) : undefined);
      if (metric === undefined) unknown.push(`${name} in ${expression}`);
      const named = [...selector.matchAll(/(\w+)\s*(?:=|!=|=~|!~)/g)].map(([, label]) => label!);
      // A label that Prometheus itself adds, and the one of buckets.
      const others = [...named, ...grouped].filter(
        (label) => !['instance', 'job', 'le', ...(metric?.labels ?? [])].includes(label),
      );
      if (others.length > 0) unknown.push(`${others.join(', ')} in ${expression}`);
    }
  }
  deepEqual(unknown, []);
});
