/** A proxy in front of one origin on loopback, which forwards everything unless a test judges otherwise. */
import type { IncomingRequest, Judge, ExchangeOutcome } from '../../../src/traffic/edge/wire/exchange.ts';
import type { RefusedRequest } from '../../../src/traffic/edge/proxy/proxy-core.ts';
import {
  type ProxyOptions,
  type ServedProxy,
  serveProxy,
} from '../../../src/traffic/edge/proxy/serve-proxy.ts';
import { RawClient } from './raw-client.ts';
import { RawOrigin } from './raw-origin.ts';

export interface ProxyUnderTest extends AsyncDisposable {
  readonly proxy: ServedProxy;
  readonly port: number;
  readonly origin: RawOrigin;
  readonly judged: IncomingRequest[];
  readonly outcomes: ExchangeOutcome[];
  readonly refused: RefusedRequest[];
  readonly errors: unknown[];
  connect(from?: string): Promise<RawClient>;
}

export async function proxyUnderTest(options: Partial<ProxyOptions> = {}): Promise<ProxyUnderTest> {
  const origin = await RawOrigin.listen();
  const judged: IncomingRequest[] = [];
  const outcomes: ExchangeOutcome[] = [];
  const refused: RefusedRequest[] = [];
  const errors: unknown[] = [];
  const target = origin.origin;
  const forward: Judge = () => ({
    kind: 'forward',
    origin: target,
    zone: 'zone',
    onResponse: (outcome) => outcomes.push(outcome),
  });
  const { judge = forward, ...rest } = options;
  const proxy = await serveProxy({
    listeners: [{ port: 0 }],
    addresses: { allowPrivate: true },
    onRefusal: (refusal) => refused.push(refusal),
    onError: (error) => errors.push(error),
    ...rest,
    judge: (request, inspect) => {
      judged.push(request);
      return judge(request, inspect);
    },
  });
  const { port } = proxy.addresses[0]!;
  return {
    proxy,
    port,
    origin,
    judged,
    outcomes,
    refused,
    errors,
    connect: (from) => RawClient.connect(port, from),
    [Symbol.asyncDispose]: async () => {
      await proxy.close({ graceMs: 0 });
      await origin[Symbol.asyncDispose]();
    },
  };
}
