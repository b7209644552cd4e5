import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';

it('starts each file with empty storage', async () => {
  expect(await env.COUNTERS.getByName('/a').increment()).toBe(1);
  expect(await env.NOTES.get('later')).toBe(null);
});
