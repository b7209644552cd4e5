import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { actingSettings } from '#zone-settings';
import { listChanges, toDraft } from './zone-settings.ts';

const saved = Object.entries(actingSettings).map(([id, { fallback }]) => ({
  id,
  value: fallback,
  editable: true,
  modified_on: null,
}));

test('listChanges sends only what was changed, in the form that the setting takes', () => {
  const draft = toDraft(saved);
  deepEqual(listChanges(draft, saved), []);
  const changed = {
    ...draft,
    challenge_ttl: '3600',
    proxy_read_timeout: '30',
    ciphers: 'AES128-SHA, AES256-SHA',
    security_header: '300',
  };
  const header = { max_age: 300, include_subdomains: false, preload: false, nosniff: false };
  deepEqual(listChanges(changed, saved), [
    { id: 'ciphers', value: ['AES128-SHA', 'AES256-SHA'] },
    { id: 'security_header', value: { strict_transport_security: { ...header, enabled: true } } },
    { id: 'challenge_ttl', value: 3600 },
    { id: 'proxy_read_timeout', value: '30' },
  ]);
});

test('toDraft shows no seconds of a header that is not sent', () => {
  equal(toDraft(saved).security_header, '');
});
