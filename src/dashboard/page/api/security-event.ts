/** An event of the activity log. Most of it is the attacker's: it is shown as text and nothing else. */
export interface SecurityEvent {
  readonly id: string;
  readonly datetime: string;
  readonly action: string;
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
  /** 0 for the last rule that the request triggered. */
  readonly matchIndex: number;
  readonly rayName: string;
  readonly clientIP: string;
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
  readonly edgeResponseStatus: number;
  readonly originResponseStatus: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}
