/** Events for tests of the pages that show them. */
import { equal } from 'node:assert/strict';
import type { Judged, SecurityEvent } from '#events';
import { eventually } from '../eventually.ts';
import type { DashboardSite } from './dashboard-site.ts';

let lastId = 0;

export function createEvent(changes: Partial<SecurityEvent> = {}): SecurityEvent {
  const id = (++lastId).toString(16).padStart(16, '0');
  return {
    id: `${id}-LOCAL-0`,
    datetime: new Date().toISOString(),
    action: 'block',
    source: 'firewallCustom',
    kind: 'firewall',
    ruleId: '00000000000000000000000000000001',
    rulesetId: '00000000000000000000000000000002',
    ref: 'admin',
    description: 'no admin from outside',
    matchIndex: 0,
    rayName: id,
    originatorRayName: id,
    clientIP: '192.0.2.1',
    clientIPClass: 'unknown',
    clientAsn: '64496',
    clientASNDescription: 'Example network',
    clientCountryName: 'DE',
    clientRequestHTTPHost: 'shop.example',
    clientRequestHTTPMethodName: 'GET',
    clientRequestHTTPProtocol: 'HTTP/1.1',
    clientRequestPath: '/admin',
    clientRequestQuery: '',
    clientRequestScheme: 'http',
    clientRefererHost: '',
    clientRefererPath: '',
    clientRefererQuery: '',
    clientRefererScheme: '',
    userAgent: 'test',
    edgeColoName: 'LOCAL',
    edgeResponseStatus: 403,
    originResponseStatus: 0,
    sampleInterval: 1,
    metadata: [],
    ...changes,
  };
}

export interface Recorded {
  readonly event: SecurityEvent;
  readonly judged?: Judged;
}

/** As a remote edge does. */
export async function recordEvents(
  site: DashboardSite,
  zoneId: string,
  events: readonly Recorded[],
): Promise<void> {
  const { success, errors } = await site.call(`POST /accounts/${site.program.ready.account_id}/edge/events`, {
    zone_id: zoneId,
    events,
  });
  equal(success, true, JSON.stringify(errors));
}

/** In the form of events. */
export function formatTimeAgo(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/** Repeats the call until the response is the expected one. */
export async function askUntil<Answer>(
  ask: () => Promise<Answer>,
  isReached: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer: Answer;
  await eventually(async () => isReached((answer = await ask())));
  return answer!;
}
