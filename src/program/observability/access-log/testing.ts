/** Records for tests of the access log. */
import type { RequestRecord } from '#edge';

export function createRecord(
  changes: Partial<RequestRecord> = {},
  head: Partial<RequestRecord['request'] & {}> = {},
): RequestRecord {
  return {
    id: '019e3c5a7b1f0a2b-ABCD',
    receivedAtMs: Date.UTC(2026, 9, 10, 13, 55, 36, 120),
    peerAddress: '203.0.113.9',
    request: {
      id: '019e3c5a7b1f0a2b-ABCD',
      method: 'GET',
      target: '/cart?coupon=secret',
      httpVersion: '1.1',
      headers: [['User-Agent', 'curl/8.7.1']],
      host: 'www.shop.example',
      clientAddress: '203.0.113.9',
      peerAddress: '203.0.113.9',
      isSecure: true,
      serverName: 'www.shop.example',
      connection: { clientPort: 1, serverAddress: '127.0.0.1', serverPort: 443, tls: undefined },
      receivedAtMs: 0,
      body: undefined,
      ...head,
    },
    zone: { id: '0123456789abcdef0123456789abcdef', name: 'shop.example' },
    verdict: 'forwarded',
    ruleId: undefined,
    hasEvents: false,
    outcome: { originStatus: 200, edgeStatus: 200, refusal: undefined },
    reason: undefined,
    isPrivateOrigin: false,
    isComplete: true,
    receivedBytes: 120,
    sentBytes: 1_234,
    sentBodyBytes: 1_000,
    judgedMs: 0.05,
    firstByteMs: 12.34567,
    endMs: 20,
    origin: { address: '10.0.0.5:3000', connectStartMs: 0.1, requestMs: 2.1, responseMs: 12.1 },
    trace: undefined,
    ...changes,
  };
}
