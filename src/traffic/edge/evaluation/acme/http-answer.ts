/**
 * Answers the HTTP challenge by which a certificate authority checks that a name is served here (RFC 8555, section
 * 8.3). The answer to a token is the token with the thumbprint of our account key, so every process can answer any
 * token at any time: the answer is useful only to the owner of the account key.
 */
import { createEdgeResponse, type EdgeResponse } from '../../wire/edge-response.ts';
import type { IncomingRequest } from '../../wire/exchange.ts';

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
