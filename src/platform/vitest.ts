/**
 * A plugin of Vitest under which tests made for `@cloudflare/vitest-plugin` run on Gatehouse: one line of their
 * configuration changes.
 *
 * ```ts
 * import { cloudflareTest } from 'gatehouse/vitest';
 * import { defineConfig } from 'vitest/config';
 *
 * export default defineConfig({ plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })] });
 * ```
 *
 * Each test file runs in its own thread, together with the Worker, its objects and its bindings: a test has direct
 * access to the instances that it calls. Their storage is in memory, and ends with the thread.
 */
export { cloudflareTest } from './vitest/plugin.ts';
export { cloudflarePool } from './vitest/pool.ts';
