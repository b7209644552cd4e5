/**
 * Columns of the program's own objects whose content never leaves the server in any form: hashes of tokens, keys and
 * sessions, sealed private keys, and the keys that seal them.
 */
import type { SecretColumn } from '#operator';

export const secretColumns: Readonly<Record<string, readonly SecretColumn[]>> = {
  ClusterState: [['secrets', 'value']],
  Account: [
    ['alert_webhooks', 'sealed_secret'],
    ['list_sources', 'sealed_key'],
    ['logpush_jobs', 'sealed_destination'],
    ['tokens', 'hash'],
    ['users', 'key_hash'],
    ['worker_versions', 'sealed_secrets'],
  ],
  Sessions: [['sessions', 'hash']],
  Zone: [
    ['custom_certificates', 'sealed_key'],
    ['managed_certificates', 'sealed_key'],
    ['managed_certificates', 'sealed_order_key'],
  ],
};
