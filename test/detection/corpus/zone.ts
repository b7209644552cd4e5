/** A zone with the defaults of its plan, and its verdicts on requests. */
import { bytesOf } from '#text';
import { emptyGeoDatabase, type IncomingRequest, ZoneJudge } from '#edge';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import type { Ruleset } from '#rulesets';
import { configurationOf } from '../../../src/rules/firewall/testing.ts';
import { managedParts } from '#managed';
import { raisedBodyBytesMax, type RequestDescription } from '#request';

export type GatePlan = 'free' | 'paid';

/** The ruleset that a zone of the plan executes by default. */
export const rulesetIds: Readonly<Record<GatePlan, string>> = {
  free: '77454fe2d30c4220b5701f6fdfb893ba',
  paid: 'efb7b8c949ac4650a09736fc376e9aee',
};

export interface Stopped {
  readonly ruleId: string;
  readonly description: string;
}

/** Returns the rule that stops a request; undefined if it passes. */
export type Judge = (request: RequestDescription) => Promise<Stopped | undefined>;

/** A migrated zone that executes some managed rulesets. */
export function createConfiguration(
  plan: GatePlan,
  executed: readonly object[] = [{ id: rulesetIds[plan] }],
  change: Partial<ZoneConfiguration> = {},
): ZoneConfiguration {
  const entryPoint = {
    id: 'entry',
    name: '',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '',
    rules: executed.map((parameters, index) => ({
      id: `execute${index}`,
      version: '1',
      action: 'execute',
      expression: 'true',
      enabled: true,
      ref: `execute${index}`,
      last_updated: '',
      action_parameters: parameters,
    })),
  } as unknown as Ruleset;
  return configurationOf({
    zone: { plan: plan === 'free' ? 'free' : 'pro' },
    entryPoints: [entryPoint],
    ...change,
  });
}

/** Judges as the edge does, without a network. */
export function createZone(plan: GatePlan): Judge {
  return judgeWith(new CompiledZone(createConfiguration(plan), managedParts));
}

/** For bodies of the maximum inspectable size. */
export function judgeWith(zone: CompiledZone): Judge {
  const judge = new ZoneJudge({ geo: emptyGeoDatabase, secret: Buffer.alloc(32), rewritesTarget: true });
  return async (request) => {
    const body = Buffer.from((request.body as Uint8Array | undefined) ?? []);
    const ruling = judge.judge(zone, toIncoming(request, body.length), async () => ({
      bytes: body.subarray(0, raisedBodyBytesMax),
      isTruncated: body.length > raisedBodyBytesMax,
      declaredLength: body.length,
      bytesMax: raisedBodyBytesMax,
    }));
    const { judgement } = (ruling instanceof Promise ? await ruling : ruling).judged;
    if (judgement.verdict.kind === 'pass') return undefined;
    const { ruleId, description } = judgement.verdict.by;
    return { ruleId, description };
  };
}

function toIncoming({ method, url, headers }: RequestDescription, size: number): IncomingRequest {
  return {
    id: '0000000000000000-LOCAL',
    method: method!,
    target: bytesOf(url!),
    httpVersion: '1.1',
    headers: (headers as readonly (readonly [string, string])[]).map(([name, value]) => [
      name,
      bytesOf(value),
    ]),
    host: 'www.example.com',
    clientAddress: '192.0.2.1',
    peerAddress: '192.0.2.1',
    isSecure: true,
    serverName: undefined,
    connection: { clientPort: 0, serverAddress: '', serverPort: 443, tls: undefined },
    receivedAtMs: 0,
    body: size === 0 ? undefined : { declaredLength: size },
  };
}
