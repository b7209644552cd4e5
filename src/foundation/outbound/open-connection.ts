/** A connection to an external server, with or without TLS. */
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates } from 'node:tls';
import { guardPlace } from './guarded-lookup.ts';
import type { OriginRules } from './origin-rules.ts';

/** Which certificates of a server are accepted. */
export interface ServerTrust {
  /** Whether the certificate of the server is checked, by default true. */
  readonly isVerified?: boolean | undefined;
  /** PEM certificates to trust, in addition to those of the system. */
  readonly trusted?: string | undefined;
  /** Whether those of the system are not trusted. */
  readonly isPinned?: boolean | undefined;
}

export interface ConnectionTarget extends ServerTrust {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** The caller destroys it. It is destroyed when the signal aborts. */
export async function openConnection(
  { host: named, port, isSecure, ...trust }: ConnectionTarget,
  { rules, signal }: { readonly rules: OriginRules; readonly signal: AbortSignal },
): Promise<Socket> {
  const place = guardPlace(rules, named, port);
  const socket = isSecure
    ? connectTls({
        ...place,
        ...toTlsOptions(trust),
        ...(isIP(place.host) === 0 ? { servername: place.host } : {}),
      })
    : connectTcp(place);
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

export function toTlsOptions({ isVerified = true, trusted, isPinned = false }: ServerTrust): {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
} {
  return {
    rejectUnauthorized: isVerified,
    ...(trusted === undefined ? {} : { ca: [...(isPinned ? [] : getCACertificates('default')), trusted] }),
  };
}
