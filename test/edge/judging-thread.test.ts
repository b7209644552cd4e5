import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, test } from 'node:test';
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import { createCostlyText, zoneOf } from '../../src/rules/firewall/testing.ts';
import type { IncomingRequest } from '#edge';
import { copyGeo, emptyGeoDatabase } from '../../src/traffic/edge/judging/geo.ts';
import { createPendingEvents } from '../../src/traffic/edge/judging/request-events.ts';
import { RequestJudging } from '../../src/traffic/edge/judging/request-judging.ts';
import { type Ruling, ZoneJudge } from '../../src/traffic/edge/judging/zone-judge.ts';
import {
  JudgingThread,
  type ThreadEnd,
  ThreadEndedError,
} from '../../src/traffic/edge/judging/thread/judging-thread.ts';
import type { ThreadRequest } from '../../src/traffic/edge/judging/thread/thread-messages.ts';

// A thread does not keep the process alive, and here nothing else does.
const keptAlive = setInterval(() => {}, 60_000);
after(() => clearInterval(keptAlive));

function createRequest(more: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    id: 'ray',
    method: 'POST',
    target: '/search?page=2',
    httpVersion: '1.1',
    headers: [
      ['Host', 'shop.example'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    host: 'shop.example',
    clientAddress: '192.0.2.1',
    peerAddress: '192.0.2.1',
    isSecure: true,
    serverName: 'shop.example',
    connection: { clientPort: 1, serverAddress: '192.0.2.2', serverPort: 443, tls: undefined },
    receivedAtMs: 1_700_000_000_000,
    body: { declaredLength: undefined },
    ...more,
  };
}

function createZone(id: string): CompiledZone {
  const { configuration } = zoneOf({
    firewallRules: [
      { id: 'rule-log', action: 'log', expression: 'http.request.body.raw contains "first"' },
      { id: 'rule-block', action: 'block', expression: 'http.request.body.raw matches "last word$"' },
    ],
    previous: { waf: 'on' },
    more: { zone: { id, name: 'shop.example', plan: 'enterprise', accountId: 'account', isPaused: false } },
  });
  return new CompiledZone(configuration, managedParts);
}

const options = { geo: emptyGeoDatabase, secret: Buffer.alloc(32), rewritesTarget: true };
const outcome = { edgeStatus: 200, originStatus: 204, refusal: undefined };

/** The outcome of a request, and its events. */
function describe({ answer, judged, target }: Ruling): unknown {
  const events = createPendingEvents(judged, outcome).make('explained');
  const { verdict, exhausted } = judged.judgement;
  return { status: answer?.status, target, verdict: verdict.kind, exhausted, events };
}

const long = (words: string): string => `text=${'some+words+of+a+visitor+'.repeat(2_000)}&${words}`;

const bodies = {
  'an ordinary form': long('last=1'),
  'two rules': `first=1&${long('last word')}`,
  'an attack behind a long text': long('q=1+union+select+password+from+users'),
  'a script in the last field': long('q=%3Cscript%3Ealert(1)%3C/script%3E'),
  'an encoded path': long('file=..%2f..%2f..%2fetc%2fpasswd'),
};

test('RequestJudging judges in its thread as at once: verdicts, events and explanations are the same', async () => {
  const zone = createZone('zone');
  const judging = new RequestJudging();
  const atOnce = new ZoneJudge(options);
  const inThread = new ZoneJudge({ ...options, judging });
  const verdicts = new Set<unknown>();
  for (const [name, body] of Object.entries(bodies)) {
    const inspect = async () => ({ bytes: Buffer.from(body), isTruncated: false, declaredLength: undefined });
    const expected = describe(await atOnce.judge(zone, createRequest(), inspect));
    deepEqual(describe(await inThread.judge(zone, createRequest(), inspect)), expected, name);
    verdicts.add((expected as { readonly verdict: string }).verdict);
  }
  equal(judging.counts.inThread, Object.keys(bodies).length);
  deepEqual(verdicts, new Set(['pass', 'block']));
  judging.close();
});

test('RequestJudging leaves a request that takes long to its thread, and then those that follow at once', async () => {
  const expression = Array.from(
    { length: 64 },
    (_, index) => `http.cookie matches "[ab]*a[ab]{${400 + index}}[c-z]"`,
  ).join(' or ');
  const zone = zoneOf({ firewallRules: [{ id: 'costly', action: 'log', expression }] });
  const judging = new RequestJudging();
  const judge = new ZoneJudge({ ...options, judging });
  const headers = [['Host', 'shop.example'] as const, ['Cookie', createCostlyText(15_000)] as const];
  const request = createRequest({ headers, body: undefined });
  const noBody = (): Promise<never> => Promise.reject(new Error('no body'));
  const { judged } = await judge.judge(zone, request, noBody);
  equal(judged.judgement.exhausted?.ruleId, 'costly');
  match(judged.judgement.triggered[0]!.description, /took more than (?:\d{8} steps|250 ms of CPU time)/);
  // An ordinary request of the same zone is still judged here.
  ok(!(judge.judge(zone, createRequest({ body: undefined }), noBody) instanceof Promise));
  equal(judging.counts.inThread, 1);
  judging.close();
});

function createRead(target: string): ThreadRequest {
  return {
    request: createRequest({ target, body: undefined }),
    body: undefined,
    readings: { target, paths: [target] },
    geo: copyGeo(emptyGeoDatabase.find('192.0.2.1')),
    clearance: undefined,
  };
}

test('JudgingThread judges one request of each zone before it judges a second of any', async () => {
  const thread = new JudgingThread();
  const [busy, other] = [createZone('busy'), createZone('other')];
  // Both are compiled.
  await Promise.all([thread.judge(busy, createRead('/')), thread.judge(other, createRead('/'))]);
  const order: string[] = [];
  const judge = async (zone: CompiledZone, name: string): Promise<void> => {
    await thread.judge(zone, createRead('/'));
    order.push(name);
  };
  await Promise.all([
    ...['busy 1', 'busy 2', 'busy 3', 'busy 4'].map((name) => judge(busy, name)),
    ...['other 1', 'other 2'].map((name) => judge(other, name)),
  ]);
  // The first was in progress when the others arrived.
  deepEqual(order, ['busy 1', 'busy 2', 'other 1', 'busy 3', 'other 2', 'busy 4']);
  thread.close();
});

test('JudgingThread ends with a request that it cannot end, names the rule, and goes on with the others', async () => {
  const ends: ThreadEnd[] = [];
  const module = new URL('./hanging-thread.ts', import.meta.url);
  const thread = new JudgingThread({ module, onEnd: (end) => ends.push(end) });
  const zone = createZone('zone');
  const hanging = thread.judge(zone, createRead('/loop'));
  const waiting = thread.judge(zone, createRead('/'));
  await rejects(hanging, ThreadEndedError);
  equal((await waiting).judgement.verdict.kind, 'pass');
  deepEqual(
    ends.map(({ zone: named, rule }) => [named, rule]),
    [['zone-of-loop', 'rule-of-loop']],
  );
  thread.close();
});
