/** Rules that inspect bodies: every kind of body, and bodies longer than the inspection limit. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RawClient } from './wire/raw-client.ts';
import { type Answer, ServedEdge } from './served-edge.ts';

let served: ServedEdge;
let zone: string;
before(async () => {
  served = await ServedEdge.open({ limits: { inspectionBytesMax: 4_096 } });
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  const rules = [
    'any(http.request.body.form["comment"][*] contains "casino")',
    'any(http.request.body.multipart["comment"][*] contains "casino")',
    'any(http.request.body.multipart.filenames[*][*] eq "shell.php")',
    'lookup_json_string(http.request.body.raw, "comment", "text") contains "casino"',
    'http.request.body.size gt 1000000',
  ];
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: rules.map((expression) => ({ action: 'block', expression, description: expression })),
  });
});
after(() => served[Symbol.asyncDispose]());

interface Case {
  readonly name: string;
  readonly type: string;
  readonly bad: string;
  readonly good: string;
}

const boundary = 'x12345';
const part = (disposition: string, content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--${boundary}--\r\n`;

const cases: readonly Case[] = [
  {
    name: 'forms',
    type: 'application/x-www-form-urlencoded',
    bad: 'name=a&comment=my+casino',
    good: 'name=casino&comment=hello',
  },
  {
    name: 'fields of multipart forms',
    type: `multipart/form-data; boundary=${boundary}`,
    bad: part('name="comment"', 'my casino'),
    good: part('name="other"', 'my casino'),
  },
  {
    name: 'files of multipart forms',
    type: `multipart/form-data; boundary=${boundary}`,
    bad: part('name="file"; filename="shell.php"', 'x'),
    good: part('name="file"; filename="shell.txt"', 'x'),
  },
  {
    name: 'JSON',
    type: 'application/json',
    bad: '{"comment":{"text":"my \\u0063asino"}}',
    good: '{"comment":{"text":"hello"},"text":"casino"}',
  },
];

function post(body: string | Buffer, type: string): Promise<Answer> {
  return served.send('/comments', { headers: { 'content-type': type }, body });
}

for (const { name, type, bad, good } of cases) {
  test(`rules match in ${name}, and what passes comes to the origin as it was`, async () => {
    const stopped = await post(bad, type);
    deepEqual([stopped.status, served.origin.take()], [403, []]);
    equal((await served.eventsOf(stopped))[0]!.action, 'block');
    equal((await post(good, type)).status, 200);
    deepEqual(
      served.origin.take().map(({ body }) => body),
      [good],
    );
  });
}

test('a body over the limit is looked at as far as rules can, logged, and passed on whole', async () => {
  const long = `comment=hello&rest=${'x'.repeat(300_000)}`;
  const answer = await post(long, 'application/x-www-form-urlencoded');
  equal(answer.status, 200);
  equal(served.origin.take()[0]!.body, long);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, ruleId, edgeResponseStatus }) => [
      action,
      ruleId,
      edgeResponseStatus,
    ]),
    [['log', 'inspection-limit', 200]],
  );
  const bad = await post(`comment=casino&rest=${'x'.repeat(300_000)}`, 'application/x-www-form-urlencoded');
  deepEqual(
    [bad.status, (await served.eventsOf(bad)).map(({ action }) => action)],
    [403, ['block']],
    'a rule that decided is all there is to tell',
  );
  deepEqual(served.origin.take(), []);
});

test('a body of exactly the limit is inspected in full', async () => {
  const answer = await post('y'.repeat(4_096), 'text/plain');
  deepEqual([answer.status, await served.eventsOf(answer)], [200, []]);
  const more = await post('y'.repeat(4_097), 'text/plain');
  equal((await served.eventsOf(more)).length, 1);
  served.origin.take();
});

test('a rule that logged and the limit are two events of one request', async () => {
  const path = `${zone}/firewall/rules`;
  const { result } = await served.do(`POST ${path}`, [
    { action: 'log', filter: { expression: 'http.request.uri.path eq "/comments"' } },
  ]);
  const answer = await post('z'.repeat(5_000), 'text/plain');
  deepEqual(
    (await served.eventsOf(answer)).map(({ ruleId, matchIndex }) => [ruleId, matchIndex]),
    [
      [result[0].id, 1],
      ['inspection-limit', 0],
    ],
  );
  await served.do(`DELETE ${path}/${result[0].id}`);
  served.origin.take();
});

test('where the zone says so, a body over the limit is refused', async () => {
  await served.serve('enterprise', { over_inspection_limit: 'block' });
  const answer = await post('x'.repeat(5_000), 'text/plain');
  deepEqual([answer.status, served.origin.take()], [403, []]);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, ruleId }) => [action, ruleId]),
    [['block', 'inspection-limit']],
  );
  await served.serve('enterprise', { over_inspection_limit: 'log' });
});

test('a body of unknown length flows on before its end, once rules have seen what they can', async () => {
  using client = await RawClient.connect(served.port);
  client.send(
    'POST /stream HTTP/1.1\r\nHost: enterprise.example\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const piece = 'q'.repeat(2_048);
  for (let sent = 0; sent < 10; sent++) client.send(`800\r\n${piece}\r\n`);
  client.send('0\r\n\r\n');
  const answer = await client.response('POST');
  equal(answer?.status, 200);
  equal(served.origin.take()[0]!.body, piece.repeat(10));
});

test('a zone whose rules look at no body does not wait for it', async () => {
  await served.serve('free');
  const free = `/zones/${served.control.zone('free')}`;
  await served.do(`POST ${free}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/no"' } },
  ]);
  using client = await RawClient.connect(served.port);
  // The body never arrives, but the decision is made.
  client.send('POST /no HTTP/1.1\r\nHost: free.example\r\nContent-Length: 100\r\n\r\n');
  equal((await client.response('POST'))?.status, 403);
});
