/** A connection to an external server, with or without TLS. */
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates } from 'node:tls';
import { normaliseHost, type OriginRules } from './origin-rules.ts';
import { checkEndpoint, lookUpAllowed } from './guarded-lookup.ts';

export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Whether the certificate of the server is checked. */
  readonly isVerified: boolean;
  /** PEM certificates to trust, in addition to those of the system. */
  readonly trusted?: string | undefined;
}

/** The caller destroys it. It is destroyed when the signal aborts. */
export async function openConnection(
  { host: given, port, isSecure, isVerified, trusted }: ConnectionTarget,
  { rules, signal }: { readonly rules: OriginRules; readonly signal: AbortSignal },
): Promise<Socket> {
  const host = normaliseHost(given);
  checkEndpoint(rules, host, port);
  const isName = isIP(host) === 0;
  const options = { host, port, ...(isName ? { lookup: lookUpAllowed(rules, port) } : {}) };
  const socket = isSecure
    ? connectTls({
        ...options,
        rejectUnauthorized: isVerified,
        ...listTrusted(trusted),
        ...(isName ? { servername: host } : {}),
      })
    : connectTcp(options);
  signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
  try {
    signal.throwIfAborted();
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
}

/** The certificates that TLS should trust: those of the system, and additional ones. */
export function listTrusted(trusted: string | undefined): { readonly ca?: string[] } {
  return trusted === undefined ? {} : { ca: [...getCACertificates('default'), trusted] };
}
