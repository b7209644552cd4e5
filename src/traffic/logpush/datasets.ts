/** The datasets that jobs push, with the names of Cloudflare's fields. Times are milliseconds here. */
import type { SecurityEvent } from '#events';

export type Dataset = 'firewall_events' | 'http_requests';

export type LogRecord = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;

export function toEventRecord(event: SecurityEvent): LogRecord {
  return {
    Action: event.action,
    ClientASN: Number(event.clientAsn) || 0,
    ClientASNDescription: event.clientASNDescription,
    ClientCountry: event.clientCountryName,
    ClientIP: event.clientIP,
    ClientIPClass: event.clientIPClass,
    ClientRefererHost: event.clientRefererHost,
    ClientRefererPath: event.clientRefererPath,
    ClientRefererQuery: event.clientRefererQuery,
    ClientRefererScheme: event.clientRefererScheme,
    ClientRequestHost: event.clientRequestHTTPHost,
    ClientRequestMethod: event.clientRequestHTTPMethodName,
    ClientRequestPath: event.clientRequestPath,
    ClientRequestProtocol: event.clientRequestHTTPProtocol,
    ClientRequestQuery: event.clientRequestQuery,
    ClientRequestScheme: event.clientRequestScheme,
    ClientRequestUserAgent: event.userAgent,
    Datetime: Date.parse(event.datetime),
    Description: event.description,
    EdgeColoCode: event.edgeColoName,
    EdgeResponseStatus: event.edgeResponseStatus,
    Kind: event.kind,
    MatchIndex: event.matchIndex,
    Metadata: Object.fromEntries(event.metadata.map(({ key, value }) => [key, value])),
    OriginResponseStatus: event.originResponseStatus,
    OriginatorRayID: event.originatorRayName,
    RayID: event.rayName,
    Ref: event.ref,
    RuleID: event.ruleId,
    Source: event.source,
  };
}

/** The API's description of each field. */
type FieldKind = 'string' | 'int' | 'timestamp' | 'object';

const eventFieldKinds: Readonly<Record<string, FieldKind>> = {
  Action: 'string',
  ClientASN: 'int',
  ClientASNDescription: 'string',
  ClientCountry: 'string',
  ClientIP: 'string',
  ClientIPClass: 'string',
  ClientRefererHost: 'string',
  ClientRefererPath: 'string',
  ClientRefererQuery: 'string',
  ClientRefererScheme: 'string',
  ClientRequestHost: 'string',
  ClientRequestMethod: 'string',
  ClientRequestPath: 'string',
  ClientRequestProtocol: 'string',
  ClientRequestQuery: 'string',
  ClientRequestScheme: 'string',
  ClientRequestUserAgent: 'string',
  Datetime: 'timestamp',
  Description: 'string',
  EdgeColoCode: 'string',
  EdgeResponseStatus: 'int',
  Kind: 'string',
  MatchIndex: 'int',
  Metadata: 'object',
  OriginResponseStatus: 'int',
  OriginatorRayID: 'string',
  RayID: 'string',
  Ref: 'string',
  RuleID: 'string',
  Source: 'string',
};

const requestFieldKinds: Readonly<Record<string, FieldKind>> = {
  ClientASN: 'int',
  ClientCountry: 'string',
  ClientIP: 'string',
  ClientRequestBytes: 'int',
  ClientRequestHost: 'string',
  ClientRequestMethod: 'string',
  ClientRequestPath: 'string',
  ClientRequestProtocol: 'string',
  ClientRequestReferer: 'string',
  ClientRequestScheme: 'string',
  ClientRequestURI: 'string',
  ClientRequestUserAgent: 'string',
  ClientSSLCipher: 'string',
  ClientSSLProtocol: 'string',
  ClientSrcPort: 'int',
  EdgeEndTimestamp: 'timestamp',
  EdgeResponseBodyBytes: 'int',
  EdgeResponseBytes: 'int',
  EdgeResponseStatus: 'int',
  EdgeServerIP: 'string',
  EdgeStartTimestamp: 'timestamp',
  EdgeTimeToFirstByteMs: 'int',
  OriginIP: 'string',
  OriginResponseDurationMs: 'int',
  OriginResponseStatus: 'int',
  RayID: 'string',
  SecurityAction: 'string',
  SecurityRuleID: 'string',
  ZoneName: 'string',
};

export const datasetFields: Readonly<Record<Dataset, Readonly<Record<string, FieldKind>>>> = {
  firewall_events: eventFieldKinds,
  http_requests: requestFieldKinds,
};
