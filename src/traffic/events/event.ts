/** One rule that acted on one request, as the activity log stores it and the API shows it. */
/** Names and spellings are Cloudflare's. */
export interface SecurityEvent {
  /** The id of the event: the ray id and the index of the rule among those that the request triggered. */
  readonly id: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly datetime: string;
  readonly action: string;
  readonly source: string;
  readonly kind: 'firewall';
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
  /** 0 for the last rule that the request triggered, 1 for the one before. */
  readonly matchIndex: number;
  readonly rayName: string;
  /** The ray id of the first request, if one request causes another; otherwise equal to `rayName`. */
  readonly originatorRayName: string;
  readonly clientIP: string;
  readonly clientIPClass: string;
  readonly clientAsn: string;
  readonly clientASNDescription: string;
  readonly clientCountryName: string;
  readonly clientRequestHTTPHost: string;
  readonly clientRequestHTTPMethodName: string;
  readonly clientRequestHTTPProtocol: string;
  readonly clientRequestPath: string;
  readonly clientRequestQuery: string;
  readonly clientRequestScheme: string;
  readonly clientRefererHost: string;
  readonly clientRefererPath: string;
  readonly clientRefererQuery: string;
  readonly clientRefererScheme: string;
  readonly userAgent: string;
  readonly edgeColoName: string;
  readonly edgeResponseStatus: number;
  readonly originResponseStatus: number;
  /** Every event is stored, so this is always 1. */
  readonly sampleInterval: 1;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

/** Fields for selection, grouping and filters: all except the metadata. */
export const eventFields = {
  id: 'text',
  datetime: 'time',
  action: 'text',
  source: 'text',
  kind: 'text',
  ruleId: 'text',
  rulesetId: 'text',
  ref: 'text',
  description: 'text',
  matchIndex: 'number',
  rayName: 'text',
  originatorRayName: 'text',
  clientIP: 'text',
  clientIPClass: 'text',
  clientAsn: 'text',
  clientASNDescription: 'text',
  clientCountryName: 'text',
  clientRequestHTTPHost: 'text',
  clientRequestHTTPMethodName: 'text',
  clientRequestHTTPProtocol: 'text',
  clientRequestPath: 'text',
  clientRequestQuery: 'text',
  clientRequestScheme: 'text',
  clientRefererHost: 'text',
  clientRefererPath: 'text',
  clientRefererQuery: 'text',
  clientRefererScheme: 'text',
  userAgent: 'text',
  edgeColoName: 'text',
  edgeResponseStatus: 'number',
  originResponseStatus: 'number',
  sampleInterval: 'number',
} as const satisfies Partial<Record<keyof SecurityEvent, 'text' | 'number' | 'time'>>;

export type EventField = keyof typeof eventFields;

export function isEventField(name: string): name is EventField {
  return Object.hasOwn(eventFields, name);
}

/** An event to be stored, with its explanation. */
export interface RecordedEvent {
  readonly event: SecurityEvent;
  /** The `Judged` of its request as JSON; undefined if there was no time to create it. */
  readonly judged?: string;
}
