import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { type EdgeSettings, toDraft, toSettings } from './edge-settings.ts';

test('toSettings sends what toDraft shows', () => {
  const settings: EdgeSettings = {
    origin: { url: 'https://origin.example', verify_tls: false, connect_to: '192.0.2.1' },
    over_inspection_limit: 'log',
    forwarded_fields: ['x-real-ip', 'true-client-ip'],
    response_rules: 'off',
    unconfirmed_scores: 'act',
  };
  deepEqual(toSettings(toDraft(settings)), settings);
  deepEqual(toSettings(toDraft({ ...settings, origin: null })).origin, null);
  deepEqual(toSettings({ ...toDraft(settings), url: ' worker:shop ' }).origin, { worker: 'shop' });
});
