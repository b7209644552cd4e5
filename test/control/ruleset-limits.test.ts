import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { TestControl } from './harness.ts';

test('rulesets of a zone together cannot exceed one answer, and the edge gets all of them', async () => {
  const control = await TestControl.open();
  const zone = control.zone('enterprise');
  const expression = `http.host eq "${'x'.repeat(4000)}"`;
  const rules = Array.from({ length: 700 }, () => ({ action: 'block', expression }));
  const put = (phase: string, count: number) =>
    control.call(`PUT /zones/${zone}/rulesets/phases/${phase}/entrypoint`, {
      body: { rules: rules.slice(0, count) },
    });
  const phases = ['http_request_firewall_custom', 'http_request_snippets'];
  for (const phase of phases) equal((await put(phase, 700)).status, 200);
  const third = await put('http_request_cache_settings', 700);
  deepEqual([third.status, third.errors[0]?.code], [400, 20944]);
  equal((await put('http_request_cache_settings', 300)).status, 200);
  // Replaced rules do not count.
  for (const phase of phases) equal((await put(phase, 600)).status, 200);
  const configuration = await control.control.configurations.readConfiguration(zone);
  equal(JSON.stringify(configuration).includes('x'.repeat(4000)), true);
  await control.close();
});
