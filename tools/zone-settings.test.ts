import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeZoneSettings, zoneSettingsPage } from './zone-settings.ts';

test('zone-settings: docs/reference/zone-settings.md is up to date', () => {
  const page = readFileSync(zoneSettingsPage, 'utf8');
  equal(page, writeZoneSettings(page), 'run: node tools/zone-settings.ts');
});
