/** For tests: short ways to create events. */
import type { RecordedEvent, SecurityEvent } from './event.ts';

export function createEvent(id: string, more: Partial<SecurityEvent> = {}): SecurityEvent {
  return {
    id,
    datetime: '2026-01-01T00:00:00.000Z',
    action: 'block',
    source: 'firewallrules',
    kind: 'firewall',
    ruleId: 'rule',
    rulesetId: '',
    ref: '',
    description: '',
    matchIndex: 0,
    rayName: id,
    originatorRayName: id,
    clientIP: '192.0.2.1',
    clientIPClass: 'unknown',
    clientAsn: '64496',
    clientASNDescription: 'Example',
    clientCountryName: 'DE',
    clientRequestHTTPHost: 'example.com',
    clientRequestHTTPMethodName: 'GET',
    clientRequestHTTPProtocol: 'HTTP/1.1',
    clientRequestPath: '/',
    clientRequestQuery: '',
    clientRequestScheme: 'https',
    clientRefererHost: '',
    clientRefererPath: '',
    clientRefererQuery: '',
    clientRefererScheme: '',
    userAgent: 'curl/8',
    edgeColoName: 'LOCAL',
    edgeResponseStatus: 403,
    originResponseStatus: 0,
    sampleInterval: 1,
    metadata: [],
    ...more,
  };
}

export function createRecorded(id: string, more: Partial<SecurityEvent> = {}): RecordedEvent {
  return { event: createEvent(id, more) };
}
