/** Proves names by text records (dns-01): the only way for wildcards, and for names unreachable from outside. */
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Presenter } from '../acme/order-certificate.ts';
import { createRecordChanger, type DnsSettings } from './dns-records.ts';
import type { RecordChange } from './record-change.ts';

/** RFC 8555, section 8.4. The name of a wildcard is used without its `*.`. */
export function presentByDns(settings: DnsSettings): Presenter {
  const change = createRecordChanger(settings);
  return async ({ name, authorization }) => {
    const record: Omit<RecordChange, 'kind'> = {
      name: `_acme-challenge.${name.replace(/^\*\./, '')}.`,
      value: hash('sha256', authorization, 'base64url'),
    };
    await change({ kind: 'present', ...record });
    await delay(settings.waitMs);
    return () => change({ kind: 'cleanup', ...record });
  };
}
