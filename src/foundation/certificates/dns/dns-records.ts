/**
 * Text records by which names are proven to an authority (dns-01), set where the operator specifies: by a program, by a
 * webhook, or by an update of a name server (RFC 2136). The first two use the interface of lego (`exec` and `httpreq`),
 * so that existing programs and webhooks work.
 */
import { isAbsolute } from 'node:path';
import { DnsServer } from './dns-server.ts';
import type { RecordChange } from './record-change.ts';
import { readTransactionKey } from './transaction-key.ts';
import { changeByProgram } from './change-by-program.ts';
import { changeByWebhook } from './change-by-webhook.ts';

/** Resolves when the records are changed; rejects with an AcmeError if they are not. */
export type ChangeRecords = (change: RecordChange) => Promise<void>;

export interface DnsSettings {
  /** The path of a program, the URL of a webhook, or `dns://HOST[:PORT]`. */
  readonly place: string;
  /** For the webhook, `USER:PASSWORD`; for the name server, `ALGORITHM:NAME:SECRET`. */
  readonly key: string | undefined;
  /** How long it takes until all servers of a name have the record. */
  readonly waitMs: number;
}

/** Throws a RangeError that describes the invalid setting. */
export function createRecordChanger({ place, key }: DnsSettings): ChangeRecords {
  if (isAbsolute(place)) return (change) => changeByProgram(place, change);
  const url = URL.parse(place);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') {
    return (change) => changeByWebhook(place, key, change);
  }
  if (url?.protocol === 'dns:' && url.hostname !== '') {
    if (key === undefined)
      throw new RangeError('acme_dns_key is missing: it signs the updates of a name server');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const server = new DnsServer({ host, port: Number(url.port || 53) }, readTransactionKey(key));
    return (change) => server.change(change);
  }
  throw new RangeError(
    `${place} is not an absolute path of a program, an https:// address of a webhook or a dns:// address of a name server`,
  );
}
