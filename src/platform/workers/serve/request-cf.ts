/**
 * `request.cf`: Cloudflare's facts about a client. A local server knows few of them, so all but the protocol are
 * invented, with the names that programs look for.
 */
import type { IncomingMessage } from 'node:http';
import { NativeRequest } from './native-request.ts';

const madeUp = {
  asOrganization: 'Local network',
  asn: 64_512,
  city: 'Lisbon',
  clientAcceptEncoding: '',
  clientTcpRtt: 1,
  clientTrustScore: 99,
  colo: 'LIS',
  continent: 'EU',
  country: 'PT',
  edgeRequestKeepAliveStatus: 1,
  isEUCountry: '1',
  latitude: '38.72230',
  longitude: '-9.13930',
  postalCode: '1000',
  region: 'Lisbon',
  regionCode: '11',
  requestPriority: '',
  timezone: 'Europe/Lisbon',
  tlsCipher: '',
  tlsVersion: '',
};

export function createCf({ headers, httpVersion }: IncomingMessage): object {
  const { 'accept-encoding': clientAcceptEncoding = '' } = headers;
  return {
    ...madeUp,
    clientAcceptEncoding,
    httpProtocol: `HTTP/${httpVersion}`,
    botManagement: {
      corporateProxy: false,
      detectionIds: {},
      score: 99,
      staticResource: false,
      verifiedBot: false,
    },
    tlsClientAuth: { certPresented: '0', certRevoked: '0', certVerified: 'NONE' },
  };
}

const kept = new WeakMap<object, unknown>();

/** Gives a copy of a request the same facts. */
export function keepCf<Copy extends Request>(original: object, copy: Copy, own?: unknown): Copy {
  const cf = own ?? (Reflect.get(original, 'cf') as unknown);
  if (cf !== undefined) kept.set(copy, cf);
  return copy;
}

Object.defineProperty(NativeRequest.prototype, 'cf', {
  configurable: true,
  get(this: object) {
    return kept.get(this);
  },
});
