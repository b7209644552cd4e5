/**
 * Replays traffic through configurations of one zone, each request through all of them. The judge is the edge's.
 * Requests for hosts outside the zone and invalid lines are counted and skipped.
 */
import { randomBytes } from 'node:crypto';
import { type Answerer, type GeoDatabase, type IncomingRequest, type JudgedRequest, ZoneJudge } from '#edge';
import {
  type Answer,
  assumeAnswer,
  type CompiledZone,
  type Judgement,
  noAnswer,
  type Question,
} from '#firewall';
import { inspectedBodyBytesMax } from '#request';
import type { Traffic } from './traffic/open-traffic.ts';
import type { RecordedRequest } from './traffic/recorded-request.ts';

export interface ReplayCounts {
  requests: number;
  unreadable: number;
  otherHosts: number;
  /** Requests that had a body which was not recorded: rules about bodies could not match. */
  bodiesMissing: number;
  /**
   * Rules' calls of external services: those with a recorded answer, and those without one, for which the rule's
   * default counted.
   */
  answersRecorded: number;
  answersMissing: number;
}

export interface ReplayOptions {
  readonly traffic: Traffic;
  readonly zones: readonly CompiledZone[];
  readonly geo: GeoDatabase;
  /** The judgements are in the order of the zones. */
  readonly onJudged: (request: RecordedRequest, judgements: readonly Judgement[]) => void;
  readonly onProgress?: (requests: number, bytesRead: number) => void;
  readonly onUnreadable?: (reason: string) => void;
}

export type ReplayStep = 'replay' | 'prove';

/** Replays the traffic of a rehearsal through some configurations. */
export type Replayer = (
  step: ReplayStep,
  options: Pick<ReplayOptions, 'zones' | 'onJudged' | 'onUnreadable'>,
) => Promise<ReplayCounts>;

export async function replay(options: ReplayOptions): Promise<ReplayCounts> {
  const { traffic, zones, geo, onJudged, onProgress, onUnreadable } = options;
  const answers = new RecordedAnswers();
  const judge = new ZoneJudge({ geo, secret: randomBytes(32), rewritesTarget: true, asker: answers });
  const { name } = zones[0]!.configuration.zone;
  const counts: ReplayCounts = {
    ...{ requests: 0, unreadable: 0, otherHosts: 0, bodiesMissing: 0 },
    ...{ answersRecorded: 0, answersMissing: 0 },
  };
  let bytesRead = 0;
  for await (const entry of traffic.read((bytes) => (bytesRead = bytes))) {
    if (entry.kind === 'unreadable') {
      counts.unreadable++;
      onUnreadable?.(entry.reason);
      continue;
    }
    const { request } = entry;
    if (request.host !== name && !request.host.endsWith(`.${name}`)) {
      counts.otherHosts++;
      continue;
    }
    const incoming = toIncomingRequest(request, counts.requests);
    const judgements: Judgement[] = [];
    answers.recorded = request.asked;
    for (const zone of zones) judgements.push(await judgeRequest(judge, zone, incoming, request.body));
    counts.requests++;
    if (request.isBodyMissing) counts.bodiesMissing++;
    onJudged(request, judgements);
    onProgress?.(counts.requests, bytesRead);
  }
  return { ...counts, answersRecorded: answers.found, answersMissing: answers.missing };
}

/** External services are not called again: the recorded answer counts, or the default of the rule. */
class RecordedAnswers implements Answerer {
  /** The answers of the current request. */
  recorded: RecordedRequest['asked'] = [];
  found = 0;
  missing = 0;

  ask(_question: Question, _asked: object, ref: string): Answer {
    const answer = this.recorded.find((each) => each.ref === ref);
    if (answer === undefined) {
      this.missing++;
      return noAnswer('none was recorded');
    }
    this.found++;
    return assumeAnswer({ ...answer, from: 'recorded' });
  }
}

export async function judgeRequest(...request: Parameters<typeof judgeWhole>): Promise<Judgement> {
  return (await judgeWhole(...request)).judgement;
}

/** Includes the values that rules saw of the request. */
export async function judgeWhole(
  judge: ZoneJudge,
  zone: CompiledZone,
  request: IncomingRequest,
  body: Buffer | undefined,
): Promise<JudgedRequest> {
  const bytes = body ?? Buffer.alloc(0);
  const ruling = judge.judge(zone, request, async () => ({
    bytes: bytes.subarray(0, inspectedBodyBytesMax),
    isTruncated: bytes.length > inspectedBodyBytesMax,
    declaredLength: bytes.length,
  }));
  return (ruling instanceof Promise ? await ruling : ruling).judged;
}

export function toIncomingRequest(request: RecordedRequest, index: number): IncomingRequest {
  const { method, target, host, isSecure, httpVersion, headers, ip, receivedAtMs, body } = request;
  return {
    id: `${index.toString(16).padStart(16, '0')}-LOCAL`,
    method,
    target,
    httpVersion,
    headers,
    host,
    clientAddress: ip,
    peerAddress: ip,
    isSecure,
    serverName: undefined,
    connection: { clientPort: 0, serverAddress: '', serverPort: isSecure ? 443 : 80, tls: undefined },
    receivedAtMs,
    body: body === undefined ? undefined : { declaredLength: body.length },
  };
}
