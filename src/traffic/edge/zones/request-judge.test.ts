import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '#base';
import { EventRecorder } from '#events';
import { ManagedPrograms, type ZoneConfiguration } from '#firewall';
import { configurationOf } from '../../../rules/firewall/testing.ts';
import type { Directive, IncomingRequest } from '../wire/exchange.ts';
import { OriginHealth } from '../balancing/origin-health.ts';
import { OriginLoads } from '../balancing/origin-loads.ts';
import { emptyGeoDatabase } from '../judging/geo.ts';
import { solutionPath } from '../challenge/page.ts';
import { RequestJudge } from './request-judge.ts';
import { ZoneTable } from './zone-table.ts';

const zoneId = 'a0000000000000000000000000000001';

function createConfiguration(more: Partial<ZoneConfiguration> = {}): ZoneConfiguration {
  return configurationOf({
    zone: { id: zoneId, name: 'shop.example' },
    edge: { origin: { url: 'http://127.0.0.1:81', verifyTls: true }, overInspectionLimit: 'log' },
    ...more,
  });
}

/** Makes the rules run without stopping a request. */
const neverMatches = {
  id: 'c0000000000000000000000000000001',
  action: 'block',
  products: [],
  description: '',
  ref: '',
  expression: 'http.host eq "nobody.example"',
} as const;

function openJudge(configuration: ZoneConfiguration): { judge: RequestJudge; isPlain: boolean } {
  const zones = new ZoneTable({
    catalogue: { rulesets: new Map(), legacyPackages: [] },
    programs: new ManagedPrograms(),
  });
  const zone = zones.update(configuration)!;
  const recorder = new EventRecorder({ write: async () => {} });
  const judge = new RequestJudge({
    zones,
    recorder,
    geo: emptyGeoDatabase,
    secret: Buffer.alloc(32),
    balancing: { health: new OriginHealth(), loads: new OriginLoads(), clock: realClock },
  });
  return { judge, isPlain: zone.plain !== undefined };
}

function requestOf(more: Partial<IncomingRequest>): IncomingRequest {
  return {
    id: 'id',
    method: 'GET',
    target: '/',
    httpVersion: '1.1',
    headers: [['Host', 'shop.example']],
    host: 'shop.example',
    clientAddress: '2001:db8::1',
    peerAddress: '2001:db8::1',
    isSecure: false,
    serverName: undefined,
    connection: { clientPort: 1, serverAddress: '127.0.0.1', serverPort: 80, tls: undefined },
    receivedAtMs: 1_000,
    body: undefined,
    ...more,
  };
}

const requests = [
  requestOf({}),
  requestOf({ target: '/a/./b?x=%31' }),
  requestOf({ target: '/a/%2e%2e%2fb' }),
  requestOf({ target: '/a\\b' }),
  requestOf({ method: 'OPTIONS', target: '*' }),
  requestOf({ isSecure: true, clientAddress: '192.0.2.1' }),
  requestOf({ host: 'www.shop.example' }),
  requestOf({ host: 'other.example' }),
  requestOf({ isMisdirected: true }),
  requestOf({ isFromWorker: true }),
  requestOf({ target: '/.well-known/acme-challenge/token' }),
  requestOf({ target: solutionPath }),
];

const zones: readonly (readonly [isPlain: boolean, more: Partial<ZoneConfiguration>])[] = [
  [true, {}],
  [true, { settings: { max_upload: 200, proxy_read_timeout: '50', websockets: 'off' } }],
  [true, { edge: { ...createConfiguration().edge, urlNormalization: { type: 'rfc3986', scope: 'none' } } }],
  [false, { settings: { always_use_https: 'on' } }],
  [false, { settings: { ssl: 'off' } }],
  [false, { settings: { true_client_ip_header: 'on' } }],
  [false, { settings: { pseudo_ipv4: 'overwrite_header' } }],
  [false, { edge: { origin: undefined, overInspectionLimit: 'log' } }],
  [false, { acmeThumbprint: 'thumb' }],
];

async function decide(judge: RequestJudge, request: IncomingRequest): Promise<unknown> {
  const directive: Directive = await judge.judge(request, () => Promise.reject(new Error('no body')));
  const { about, onResponse, ...rest } = directive;
  return {
    ...rest,
    ...(rest.kind === 'forward' ? { target: rest.target ?? request.target } : {}),
    isReported: onResponse !== undefined,
    about: [about?.zone?.id, about?.verdict],
  };
}

test('RequestJudge decides in a zone without rules as in one whose rules match nothing', async () => {
  for (const [isPlain, more] of zones) {
    const plain = openJudge(createConfiguration(more));
    const ruled = openJudge(createConfiguration({ ...more, firewallRules: [neverMatches] }));
    equal(plain.isPlain, isPlain, JSON.stringify(more));
    equal(ruled.isPlain, false);
    for (const request of requests)
      deepEqual(
        await decide(plain.judge, request),
        await decide(ruled.judge, request),
        `${JSON.stringify(more)} ${request.target}`,
      );
    deepEqual(plain.judge.counts, ruled.judge.counts);
    ok(plain.judge.counts.unserved > 0);
  }
});
