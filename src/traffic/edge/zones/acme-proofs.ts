/** The proofs by which a certificate authority checks that a name is served here. */
import { createEdgeResponse, type EdgeResponse } from '../wire/edge-response.ts';
import type { IncomingRequest } from '../wire/exchange.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { acmeProofMsMax } from './limits.ts';
import type { ZoneTable } from './zone-table.ts';

/**
 * The proof that an authority looks for in a TLS handshake (RFC 8737). The control plane stores
 * the proof in the zone before it asks the authority to check. An edge that has not received the proof yet delays the
 * handshake until it has, so the authority can connect to any process of any host without prior acknowledgement.
 *
 * Undefined if the zone has no proof of this name now. `name` is in lower case.
 */
export async function findAcmeProof(zones: ZoneTable, name: string): Promise<string | undefined> {
  const zone = zones.find(name);
  if (zone === undefined) return undefined;
  const over = new AbortController();
  const end = delay(acmeProofMsMax, undefined, { signal: over.signal, ref: false }).catch(() => {});
  try {
    for (let isOver = false; ;) {
      const changed = zones.nextChange(zone.id);
      const loaded = zones.use(zone.id) ?? (await zones.load(zone.id));
      const digest = loaded?.rules.configuration.acmeProofs?.[name];
      if (digest !== undefined || isOver) return digest;
      await Promise.race([changed, end.then(() => (isOver = true))]);
    }
  } finally {
    over.abort();
  }
}

/**
 * Answers the HTTP challenge by which a certificate authority checks that a name is served here (RFC 8555, section
 * 8.3). The answer to a token is the token with the thumbprint of our account key, so every process can answer any
 * token at any time: the answer is useful only to the owner of the account key.
 */
const path = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,128})$/;

/** Undefined for every other request. */
export function answerAcmeChallenge(
  { method, target }: Pick<IncomingRequest, 'method' | 'target'>,
  thumbprint: string,
): EdgeResponse | undefined {
  if (!target.startsWith('/.well-known/acme-challenge/') || method !== 'GET') return undefined;
  const token = path.exec(target)?.[1];
  return token === undefined
    ? undefined
    : createEdgeResponse(200, 'application/octet-stream', `${token}.${thumbprint}`);
}
