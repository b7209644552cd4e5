/** URLs and fields that rules rewrite, as seen by later rules, the origin and the visitor. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { LocalAuthority } from '#certificates';
import { ZoneCertificates } from '../../../src/program/server/edge/certificates/zone-certificates.ts';
import { ServedEdge } from '../served-edge.ts';

let served: ServedEdge;
let zone: string;
let host: string;

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-rewrites-'));

before(async () => {
  const certificates = new ZoneCertificates({
    authority: LocalAuthority.open(directory, Date.now()),
    directory: undefined,
    onError: () => {},
  });
  served = await ServedEdge.open({
    listeners: [{ port: 0 }, { port: 0, isSecure: true }],
    certificateOf: certificates.of,
  });
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  host = served.host('enterprise');
  await put('http_request_transform', [
    rewrite('/fixed', { uri: { path: { value: '/new/place' }, query: { value: 'a=1' } } }),
    rewrite('/no-query', { uri: { query: { value: '' } } }),
    rewrite('/query', { uri: { query: { expression: 'concat(http.request.uri.query, "&more=1")' } } }),
    rewrite('/last', { uri: { path: { value: '/first' }, query: { value: 'kept=1' } } }),
    rewrite('/last', { uri: { path: { value: '/second' } } }),
    rewrite('/decoded', { uri: { path: { expression: 'url_decode(http.request.uri.args["to"][0])' } } }),
    rewrite('/empty', { uri: { path: { expression: 'http.request.uri.args["none"][0]' } } }),
    rewrite('/hidden', { uri: { path: { value: '/admin' } } }),
    {
      action: 'rewrite',
      expression: 'starts_with(http.request.uri.path, "/v1/")',
      description: 'versions',
      action_parameters: {
        uri: { path: { expression: 'regex_replace(http.request.uri.path, "^/v1/", "/api/1/")' } },
      },
    },
  ]);
  await put('http_request_firewall_custom', [
    { action: 'block', expression: on('/admin') },
    {
      action: 'block',
      expression: 'raw.http.request.uri.path eq "/raw" and not http.request.uri.query eq ""',
    },
    {
      action: 'skip',
      expression: on('/skipped'),
      action_parameters: { phases: ['http_request_late_transform', 'http_response_headers_transform'] },
    },
  ]);
  await put('http_request_late_transform', [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: {
        headers: {
          'X-Zone': { operation: 'set', value: 'größe' },
          'x-asked': { operation: 'set', expression: 'raw.http.request.uri.path' },
          'x-more': { operation: 'add', expression: 'to_string(cf.edge.server_port)' },
          'x-secret': { operation: 'remove' },
          'x-decoded': { operation: 'set', expression: 'url_decode(http.request.uri.args["h"][0])' },
        },
      },
    },
    {
      action: 'rewrite',
      expression: on('/again'),
      action_parameters: { headers: { 'x-zone': { operation: 'add', value: 'second' } } },
    },
  ]);
  await put('http_response_headers_transform', [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: {
        headers: {
          'X-Frame-Options': { operation: 'set', value: 'DENY' },
          'content-type': { operation: 'set', value: 'text/markdown' },
          server: { operation: 'remove' },
          'x-h': { operation: 'set', expression: 'url_decode(http.request.uri.args["h"][0])' },
        },
      },
    },
    {
      action: 'rewrite',
      expression: 'http.response.code eq 404 and http.response.headers["content-type"][0] eq "text/plain"',
      action_parameters: {
        headers: {
          'set-cookie': { operation: 'add', value: 'lost=1' },
          'x-code': { operation: 'set', expression: 'to_string(http.response.code)' },
        },
      },
    },
  ]);
});
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

function rewrite(path: string, action_parameters: object): object {
  return { action: 'rewrite', expression: on(path), action_parameters };
}

async function put(phase: string, rules: readonly object[]): Promise<void> {
  const { messages } = await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, { rules });
  deepEqual(messages, []);
}

/** The status, and the URL that the origin got. */
async function ask(path: string, sent?: Parameters<ServedEdge['send']>[1]): Promise<unknown[]> {
  served.origin.take();
  const { status } = await served.send(path, sent);
  return [status, served.origin.take()[0]?.url];
}

test('the origin gets the path and the query that rules write', async () => {
  deepEqual(await ask('/fixed?b=2'), [200, '/new/place?a=1']);
  deepEqual(await ask('/no-query?b=2'), [200, '/no-query']);
  deepEqual(await ask('/query?b=2'), [200, '/query?b=2&more=1']);
  deepEqual(await ask('/last?b=2'), [200, '/second?kept=1']);
  deepEqual(await ask('/v1/users?b=2'), [200, '/api/1/users?b=2']);
  deepEqual(await ask('/empty?b=2'), [200, '/empty?b=2']);
  deepEqual(await ask('/other?b=2'), [200, '/other?b=2']);
});

test('a rewritten path is one that every server reads alike, or the request is refused', async () => {
  deepEqual(await ask('/decoded?to=a%20b%3Fc%23d%0D%0Ax:%20y'), [
    200,
    '/a%20b%3Fc%23d%0D%0Ax:%20y?to=a%20b%3Fc%23d%0D%0Ax:%20y',
  ]);
  equal((await ask('/decoded?to=/x/%5C../admin'))[0], 403);
  equal((await ask('/decoded?to=/x/%252e%252e/admin'))[0], 403);
  equal((await ask('/decoded?to=/x/%25252e%25252e/admin'))[0], 400);
  equal((await ask(`/decoded?to=${'x'.repeat(9_000)}`))[1]?.toString().startsWith('/decoded?'), true);
});

test('rules that judge see the URL that was rewritten, and both in the explanation', async () => {
  const answer = await served.send('/hidden');
  equal(answer.status, 403);
  const [event] = await served.eventsOf(answer);
  equal(event!.clientRequestPath, '/hidden');
  const { result } = await served.do(`GET ${zone}/security/events/${event!.id}/explain`);
  const { explanation } = result as { explanation: { path: string; changes: { effect: string }[] } };
  deepEqual(
    [explanation.path, explanation.changes.map(({ effect }) => effect)],
    ['/admin', ['rewrites the path to /admin']],
  );
  deepEqual(await ask('/raw'), [200, '/raw']);
  equal((await ask('/raw?x'))[0], 403);
});

test('the origin gets the fields that rules write, and no line end in them', async () => {
  served.origin.take();
  await served.send('/again?h=a%0d%0ax-evil:%201', {
    headers: { 'x-zone': 'mine', 'x-secret': 'mine', 'x-more': 'mine', 'x-decoded': 'mine' },
  });
  const [{ headers } = { headers: {} as Record<string, string> }] = served.origin.take();
  deepEqual(
    [
      headers['x-zone'],
      headers['x-asked'],
      headers['x-more'],
      headers['x-secret'],
      headers['x-decoded'],
      headers['x-evil'],
    ],
    [
      `${Buffer.from('größe').toString('latin1')}, second`,
      '/again',
      `mine, ${served.port}`,
      undefined,
      undefined,
      undefined,
    ],
  );
  await served.send('/?h=a%09b', {});
  equal(served.origin.take()[0]!.headers['x-decoded'], 'a\tb');
});

test('the visitor gets the fields that rules write, by what the origin answered', async () => {
  const found = await served.send('/200/?h=a%0d%0aset-cookie:%20b=1');
  deepEqual(
    [
      found.headers['x-frame-options'],
      found.headers['content-type'],
      found.headers['x-h'],
      found.headers['set-cookie'],
      found.headers['x-code'],
    ],
    ['DENY', 'text/markdown', undefined, undefined, undefined],
  );
  const lost = await served.send('/404/');
  deepEqual([lost.status, lost.headers['set-cookie'], lost.headers['x-code']], [404, ['lost=1'], '404']);
});

test('a rule of the custom phase skips phases that come later', async () => {
  served.origin.take();
  const { headers } = await served.send('/skipped');
  deepEqual([headers['x-frame-options'], served.origin.take()[0]!.headers['x-zone']], [undefined, undefined]);
  const { result } = await served.control.call(`POST ${zone}/security/trace`, { body: { url: '/skipped' } });
  const ends = result.explanation.steps
    .filter(({ phase }: { phase: string }) => /late|response/.test(phase))
    .map(({ end }: { end: string }) => end.split(' ')[0]);
  deepEqual(ends, ['skipped', 'skipped']);
});

test('the trace says what each rule rewrites, without the values of fields', async () => {
  const body = {
    url: '/v1/a?h=x',
    response: { status: 404, headers: { 'content-type': 'text/plain' } },
  };
  const { result } = await served.control.call(`POST ${zone}/security/trace`, { body });
  const effects = result.explanation.changes.map(({ effect }: { effect: string }) => effect);
  deepEqual(effects, [
    'rewrites the path to /api/1/a',
    'sets X-Zone, sets x-asked, adds x-more, removes x-secret, sets x-decoded',
    'sets X-Frame-Options, sets content-type, removes server, sets x-h',
    'adds set-cookie, sets x-code',
  ]);
  const [first] = result.explanation.changes;
  deepEqual([first.description, first.tree.result], ['versions', 'true']);
});

test('HTTP/2 is changed alike, redirects too', async () => {
  await put('http_request_dynamic_redirect', [
    {
      action: 'redirect',
      expression: on('/moved'),
      action_parameters: { from_value: { target_url: { value: '/there' } } },
    },
  ]);
  const session = connect(`https://${host}`, {
    host: '127.0.0.1',
    port: served.edge.addresses[1]!.port,
    servername: host,
    rejectUnauthorized: false,
  });
  try {
    const get = async (path: string) => {
      const stream = session.request({ ':path': path, ':authority': host, 'x-zone': 'mine' });
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      return { headers, body: await text(stream) };
    };
    served.origin.take();
    const { headers, body } = await get('/v1/a');
    deepEqual(
      [headers[':status'], headers['x-frame-options'], headers['content-type']],
      [200, 'DENY', 'text/markdown'],
    );
    match(body, /GET \/api\/1\/a$/);
    equal(served.origin.take()[0]!.headers['x-zone'], Buffer.from('größe').toString('latin1'));
    const moved = await get('/moved');
    deepEqual([moved.headers[':status'], moved.headers['location']], [302, '/there']);
    ok(typeof moved.headers['cf-ray'] === 'string');
  } finally {
    session.destroy();
  }
});
