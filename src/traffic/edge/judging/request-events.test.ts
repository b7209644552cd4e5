import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { countWork } from '../../../../tools/count-work.ts';
import type { Judged } from '#events';
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import type { IncomingRequest } from '../wire/exchange.ts';
import { configurationOf } from '../../../rules/firewall/testing.ts';
import { emptyGeoDatabase } from './geo.ts';
import { createPendingEvents } from './request-events.ts';
import { type Ruling, ZoneJudge } from './zone-judge.ts';

const zone = new CompiledZone(
  configurationOf({
    zone: { name: 'shop.example' },
    firewallRules: [
      {
        id: 'everything',
        action: 'log',
        products: [],
        description: 'everything',
        ref: '',
        expression: 'http.host eq "shop.example"',
      },
    ],
  }),
  managedParts,
);

function createRequest(more: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    id: 'ray',
    method: 'GET',
    target: '/products/17?page=2&sort=price',
    httpVersion: '1.1',
    headers: [
      ['Host', 'shop.example'],
      ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0'],
      ['Accept', 'text/html'],
      ['Referer', 'https://shop.example/products?page=1'],
      ['Cookie', 'session=abcdef0123456789'],
    ],
    host: 'shop.example',
    clientAddress: '192.0.2.1',
    peerAddress: '192.0.2.1',
    isSecure: true,
    serverName: 'shop.example',
    connection: { clientPort: 1, serverAddress: '192.0.2.2', serverPort: 443, tls: undefined },
    receivedAtMs: 1_700_000_000_007.6,
    body: undefined,
    ...more,
  };
}

const judge = new ZoneJudge({ geo: emptyGeoDatabase, secret: Buffer.alloc(32), rewritesTarget: true });
const outcome = { edgeStatus: 200, originStatus: 204, refusal: undefined };

function createEvents(request: IncomingRequest) {
  const { judged } = judge.judge(zone, request, () => Promise.reject(new Error('no body'))) as Ruling;
  return createPendingEvents(judged, outcome).make('explained');
}

test('createPendingEvents makes an event of what is known of the request', () => {
  const [{ event, judged } = {}] = createEvents(createRequest());
  equal(event?.datetime, '2023-11-14T22:13:20.007Z');
  deepEqual(
    [event.id, event.clientRequestPath, event.clientRequestQuery, event.originResponseStatus],
    ['ray-0', '/products/17', '?page=2&sort=price', 204],
  );
  deepEqual(
    [event.clientRefererScheme, event.clientRefererHost, event.clientRefererPath, event.clientRefererQuery],
    ['https', 'shop.example', '/products', '?page=1'],
  );
  const { rules } = JSON.parse(judged!) as Judged;
  equal(rules[0]?.tree?.value, 'shop.example');
});

test('createPendingEvents writes times as Date does, whatever comes before', () => {
  for (const receivedAtMs of [
    0, 999, 1_000, 1_001.5, 1_700_000_000_999, 1_700_000_000_000, 4_102_444_800_010,
  ]) {
    const [{ event } = {}] = createEvents(createRequest({ receivedAtMs }));
    equal(event?.datetime, new Date(receivedAtMs).toISOString());
  }
});

test('createPendingEvents costs little where every request is logged', () => {
  const { judged } = judge.judge(zone, createRequest(), () => Promise.reject(new Error('no body'))) as Ruling;
  const pending = createPendingEvents(judged, outcome);
  pending.make('explained');
  const work = countWork(() => pending.make('explained'));
  ok(work < 230, `${work} steps`);
});
