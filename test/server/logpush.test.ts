import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { LocalAuthority } from '#certificates';
import { createLog, realClock } from '#base';
import { OriginRules } from '#outbound';
import type { SecurityEvent } from '#events';
import { Logpush, type LogpushOptions } from '../../src/traffic/logpush/logpush.ts';
import type { LogpushJob } from '#logpush';
import { eventually } from '../eventually.ts';

const event = {
  action: 'block',
  clientAsn: '64500',
  clientIP: '203.0.113.9',
  clientRequestHTTPHost: 'shop.example',
  clientRequestHTTPMethodName: 'GET',
  clientRequestPath: '/a',
  clientRequestQuery: '?q=1',
  clientRequestScheme: 'https',
  clientRefererHost: '',
  datetime: '2026-11-17T20:00:00.123Z',
  description: 'näher\nno',
  metadata: [{ key: 'kind', value: 'x' }],
  edgeResponseStatus: 403,
  rayName: 'r1',
  source: 'firewallrules',
  userAgent: 'curl/8',
} as unknown as SecurityEvent;

function numbered(count: number): SecurityEvent[] {
  return Array.from({ length: count }, (_, index) => ({ ...event, rayName: `r${index}` }));
}

function createJob(changes: Partial<LogpushJob>): LogpushJob {
  return {
    id: 1,
    zoneId: 'z',
    dataset: 'firewall_events',
    destination: 'file:///events.ndjson',
    filter: '',
    fields: ['RayID', 'Datetime', 'Description'],
    timestamps: 'unixnano',
    sampleRate: 1,
    bytesMax: 1_000_000,
    recordsMax: 100,
    intervalMs: 10,
    ...changes,
  };
}

function openLogpush(t: TestContext, directory: string, buffer?: LogpushOptions['buffer']): Logpush {
  const logpush = new Logpush({
    directory,
    rules: new OriginRules({ allowPrivate: true }),
    clock: realClock,
    log: createLog({ level: 'error', format: 'json', write: () => {} }),
    onAttempt: () => {},
    ...(buffer && { buffer }),
  });
  t.after(async () => {
    await logpush.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return logpush;
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-logpush-'));
}

interface Received {
  readonly request: IncomingMessage;
  readonly lines: readonly Record<string, unknown>[];
}

/** A receiver that responds with `status`. */
async function receive(
  t: TestContext,
  status: () => number,
): Promise<{ readonly url: string; readonly batches: Received[]; readonly server: Server }> {
  const batches: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const code = status();
    if (code === 200) {
      const lines = gunzipSync(body).toString().trimEnd().split('\n');
      batches.push({ request, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    }
    response.writeHead(code).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/in?tag=a&header_X-Token=s%20t`, batches, server };
}

test('Logpush posts wanted records as compressed NDJSON, with fields and times as the job says', async (t) => {
  const { url, batches } = await receive(t, () => 200);
  const logpush = openLogpush(t, temporary());
  await logpush.update([
    createJob({ destination: url, filter: 'http.request.uri.path eq "/a" and ip.src.asnum eq 64500' }),
  ]);
  logpush.pushEvents('z', [event, { ...event, rayName: 'other', clientRequestPath: '/b' }]);
  logpush.pushEvents('another zone', [event]);
  await eventually(() => batches.length === 1, 'a batch');
  const [{ request, lines }] = batches as [Received];
  equal(request.url, '/in?tag=a');
  equal(request.headers['x-token'], 's t');
  equal(request.headers['content-type'], 'application/x-ndjson');
  match(request.headers['gatehouse-batch'] as string, /^1-[0-9a-f]{8}-\d+-\d+$/);
  deepEqual(lines, [{ RayID: 'r1', Datetime: 1_794_945_600_123_000_000, Description: 'näher\nno' }]);
  await eventually(() => logpush.states[0]!.sent === 1, 'the receipt');
});

test('Logpush loses nothing while a receiver is away, also across a restart, and keeps the order', async (t) => {
  let status = 503;
  const { url, batches } = await receive(t, () => status);
  const directory = temporary();
  const job = createJob({ destination: url, recordsMax: 7, fields: ['RayID'] });
  const first = openLogpush(t, directory);
  await first.update([job]);
  first.pushEvents('z', numbered(10));
  await eventually(() => first.states[0]!.failures > 0, 'a failure');
  match(first.states[0]!.problem!.reason, /answered 503/);
  await first.close();
  status = 200;
  const second = openLogpush(t, directory);
  await second.update([job]);
  second.pushEvents('z', [{ ...event, rayName: 'last' }]);
  await eventually(() => second.states[0]!.sent === 11, 'all records');
  deepEqual(
    batches.flatMap(({ lines }) => lines.map(({ RayID }) => RayID)),
    [...numbered(10).map(({ rayName }) => rayName), 'last'],
  );
  ok(batches.every(({ lines }) => lines.length <= 7));
  equal(second.states[0]!.bufferedBytes, 0);
  await second.update([]);
  ok(!existsSync(join(directory, 'logpush', '1-http')), 'the buffer of a job that is gone is removed');
});

test('Logpush keeps what waits for a job that cannot run now, and sends all of it again without its position', async (t) => {
  let status = 503;
  const { url, batches } = await receive(t, () => status);
  const directory = temporary();
  const job = createJob({ destination: url });
  const first = openLogpush(t, directory);
  await first.update([job]);
  first.pushEvents('z', numbered(3));
  await eventually(() => first.states[0]!.problem !== undefined);
  await first.close();
  const buffer = join(directory, 'logpush', '1-http');
  const position = join(buffer, 'position.json');
  const whole = readFileSync(position, 'utf8');

  const second = openLogpush(t, directory);
  await second.update([], [1]);
  ok(existsSync(buffer), 'its secrets cannot be read');
  rmSync(position);
  mkdirSync(position);
  await second.update([job]);
  ok(existsSync(buffer), 'its buffer cannot be opened');
  rmdirSync(position);
  await second.close();

  // A changed bit would skip waiting records.
  writeFileSync(position, whole.replace(/"segment":\d+/, '"segment":9'));
  status = 200;
  const third = openLogpush(t, directory);
  await third.update([job]);
  await eventually(() => batches.length > 0);
  deepEqual(
    batches.flatMap(({ lines }) => lines.map(({ RayID }) => RayID)),
    ['r0', 'r1', 'r2'],
  );
  await third.update([]);
  ok(!existsSync(buffer));
});

test('Logpush drops the oldest when its buffer is full, counts them, and says so in the stream', async (t) => {
  let status = 500;
  const { url, batches } = await receive(t, () => status);
  const logpush = openLogpush(t, temporary(), { bytesMax: 4_000, segmentBytesMax: 500 });
  await logpush.update([createJob({ destination: url, fields: ['RayID', 'Description'] })]);
  for (let round = 0; round < 20; round++) {
    logpush.pushEvents('z', numbered(20));
    const before = logpush.states[0]!.bufferedRecords + logpush.states[0]!.dropped;
    await eventually(() => {
      const { bufferedRecords, dropped } = logpush.states[0]!;
      return bufferedRecords + dropped > before || before >= 20 * (round + 1);
    }, 'the buffer');
  }
  const { dropped, bufferedBytes } = logpush.states[0]!;
  ok(dropped > 0 && bufferedBytes <= 6_000, `${dropped} dropped, ${bufferedBytes} bytes`);
  status = 200;
  await eventually(() => logpush.states[0]!.bufferedBytes === 0, 'an empty buffer');
  const lines = batches.flatMap((batch) => batch.lines);
  const marks = lines.filter((line) => 'DroppedRecords' in line);
  equal(
    marks.reduce((sum, line) => sum + Number(line['DroppedRecords']), 0),
    logpush.states[0]!.dropped,
  );
  equal(lines.length - marks.length + logpush.states[0]!.dropped, 400);
});

test('Logpush writes rotated files, and never to addresses that origins may not have', async (t) => {
  const directory = temporary();
  const logpush = openLogpush(t, directory);
  await logpush.update([
    createJob({ fields: ['RayID'] }),
    createJob({ id: 2, destination: 'http://169.254.169.254/latest' }),
  ]);
  logpush.pushEvents('z', [event]);
  await eventually(() => logpush.states.every(({ sent, failures }) => sent + failures > 0), 'both attempts');
  equal(readFileSync(join(directory, 'logpush-files', 'events.ndjson'), 'utf8'), '{"RayID":"r1"}\n');
  match(logpush.states[1]!.problem!.reason, /metadata service/);
});

/** A syslog receiver, with or without TLS, that closes its side when the sender has. */
async function receiveSyslog(
  t: TestContext,
  server: TcpServer,
  event: 'connection' | 'secureConnection',
): Promise<{ readonly port: number; readonly received: string[] }> {
  const received: string[] = [];
  server.on(event, (socket: Socket) => {
    socket.on('data', (bytes) => received.push(bytes.toString()));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, received };
}

test('Logpush sends syslog over TLS to receivers that it can trust, or is told to', async (t) => {
  const directory = temporary();
  const authority = LocalAuthority.open(join(directory, 'authority'), Date.now());
  const { certificate, privateKey } = authority.issue(['127.0.0.1'], Date.now());
  const secure = createTlsServer({
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const { port, received } = await receiveSyslog(t, secure, 'secureConnection');
  const logpush = openLogpush(t, directory);
  const destination = `syslog+tls://127.0.0.1:${port}`;
  await logpush.update([
    createJob({ destination, fields: ['RayID'] }),
    createJob({ id: 2, destination: `${destination}?insecure-skip-verify=true`, fields: ['RayID'] }),
  ]);
  logpush.pushEvents('z', [event]);
  await eventually(
    () => logpush.states[0]!.failures > 0 && logpush.states[1]!.sent === 1,
    'one that is refused, and one that is sent',
  );
  equal(logpush.states[0]!.sent, 0);
  match(logpush.states[0]!.problem!.reason, /certificate|issuer/i);
  const text = received.join('');
  match(text, /^\d+ <133>1 2026-11-17T20:00:00\.123Z \S+ gatehouse \d+ firewall_events - \{"RayID":"r1"\}$/);
});

test('Logpush sends messages of RFC 5424 with their lengths', async (t) => {
  const { port, received } = await receiveSyslog(t, createTcpServer(), 'connection');
  const logpush = openLogpush(t, temporary());
  await logpush.update([
    createJob({ destination: `syslog+tcp://127.0.0.1:${port}`, fields: ['Action', 'Description'] }),
  ]);
  logpush.pushEvents('z', [event, event]);
  await eventually(() => logpush.states[0]!.sent === 2, 'the receipt');
  const text = received.join('');
  const [, length, message] =
    /^(\d+) (<133>1 2026-11-17T20:00:00\.123Z \S+ gatehouse \d+ firewall_events - \{.*?\})/.exec(text)!;
  equal(Number(length), Buffer.byteLength(message!));
  ok(message!.endsWith('{"Action":"block","Description":"näher\\nno"}'));
  equal(text, `${length} ${message}`.repeat(2));
});
