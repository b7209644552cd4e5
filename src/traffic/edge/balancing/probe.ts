/** Probes the health of an origin as its monitor says. A target that hangs costs no more than the timeout. */
import { request as sendHttp, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base';
import type { ConfiguredMonitor, ConfiguredPoolOrigin } from '#firewall';
import type { AddressPolicy } from '../proxy/origin/address-policy.ts';
import { openOriginSocket } from '../proxy/origin/open-origin-socket.ts';
import type { Watchdog } from '../proxy/watchdog.ts';
import type { Origin } from '../wire/exchange.ts';
import { Refusal } from '../wire/refusal.ts';
import { probeBodyBytesMax, probeRedirectsMax } from './limits.ts';

export interface ProbeResult {
  /** Why the origin is unhealthy; empty if it is healthy. */
  readonly reason: string;
  /** 0 without a response. */
  readonly status: number;
  readonly rttMs: number;
}

export interface ProbeOptions {
  readonly policy: AddressPolicy;
  readonly watchdog: Watchdog;
  readonly clock: Clock;
}

export async function probeOrigin(
  origin: ConfiguredPoolOrigin,
  monitor: ConfiguredMonitor,
  options: ProbeOptions,
): Promise<ProbeResult> {
  const startMs = options.clock.now();
  const signal = AbortSignal.timeout(monitor.timeoutMs);
  let result: Omit<ProbeResult, 'rttMs'>;
  try {
    result = await ask(origin, monitor, { ...options, signal });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = signal.aborted ? `no answer within ${monitor.timeoutMs / 1_000} s` : (code ?? message);
    result = { reason, status: 0 };
  }
  return { ...result, rttMs: Math.max(1, options.clock.now() - startMs) };
}

interface Asking extends ProbeOptions {
  readonly signal: AbortSignal;
}

async function ask(
  origin: ConfiguredPoolOrigin,
  monitor: ConfiguredMonitor,
  asking: Asking,
): Promise<Omit<ProbeResult, 'rttMs'>> {
  let { path } = monitor;
  for (let redirects = 0; ; redirects++) {
    const socket = await connect(origin, monitor, asking);
    if (socket instanceof Refusal) return { reason: socket.detail?.text ?? socket.message, status: 0 };
    if (monitor.type === 'tcp') {
      socket.destroy();
      return { reason: '', status: 0 };
    }
    try {
      const answer = await send(socket, path, { origin, monitor, signal: asking.signal });
      const status = answer.statusCode!;
      const next = monitor.followsRedirects ? findRedirect(answer, path, hostOf(origin, monitor)) : undefined;
      if (next === undefined) return { reason: await findProblem(answer, monitor), status };
      if (redirects === probeRedirectsMax) return { reason: 'too many redirects', status };
      path = next;
    } finally {
      socket.destroy();
    }
  }
}

function connect(
  { address, port, host }: ConfiguredPoolOrigin,
  monitor: ConfiguredMonitor,
  { policy, watchdog }: Asking,
): Promise<Socket | Refusal> {
  const isTls = monitor.type === 'https';
  const target: Origin = {
    scheme: isTls ? 'https' : 'http',
    host: host?.replace(/:\d+$/, '') ?? address,
    connectTo: address,
    port: monitor.port ?? port ?? (isTls ? 443 : 80),
    verifyTls: !monitor.allowsInsecure,
  };
  return openOriginSocket(target, {
    policy,
    watchdog,
    workers: {},
    clientCertificate: undefined,
    timeoutMs: monitor.timeoutMs,
  });
}

function hostOf({ host, address }: ConfiguredPoolOrigin, { headers }: ConfiguredMonitor): string {
  return headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? host ?? address;
}

function send(
  socket: Socket,
  path: string,
  {
    origin,
    monitor,
    signal,
  }: {
    readonly origin: ConfiguredPoolOrigin;
    readonly monitor: ConfiguredMonitor;
    readonly signal: AbortSignal;
  },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers: Record<string, string | string[]> = {
    'user-agent': 'Gatehouse-Health-Check',
    connection: 'close',
  };
  for (const [name, value] of monitor.headers) headers[name.toLowerCase()] = value;
  headers['host'] = hostOf(origin, monitor);
  const sent = sendHttp({ createConnection: () => socket, method: monitor.method, path, headers, signal });
  sent.once('response', resolve);
  sent.once('error', reject);
  sent.end();
  return promise;
}

/** The path of a redirect to the same host. */
function findRedirect(
  { statusCode, headers }: IncomingMessage,
  path: string,
  host: string,
): string | undefined {
  if (statusCode! < 300 || statusCode! > 399 || headers.location === undefined) return undefined;
  const base = new URL(path, `http://${host}`);
  const target = URL.parse(headers.location, base.href);
  return target === null || target.hostname !== base.hostname ? undefined : target.pathname + target.search;
}

async function findProblem(answer: IncomingMessage, monitor: ConfiguredMonitor): Promise<string> {
  const status = String(answer.statusCode);
  const isExpected = monitor.expectedCodes.some((code) => code === status || code === `${status[0]}xx`);
  if (!isExpected) return `status ${status} is not ${monitor.expectedCodes.join(' or ')}`;
  if (monitor.expectedBody === '') return '';
  let text = '';
  for await (const part of answer as AsyncIterable<Buffer>) {
    text += part.toString('latin1');
    if (text.length >= probeBodyBytesMax) break;
  }
  const read = Buffer.from(text.slice(0, probeBodyBytesMax), 'latin1').toString().toLowerCase();
  return read.includes(monitor.expectedBody) ? '' : 'the expected text is not in the body';
}
