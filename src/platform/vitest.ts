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
 * Each test file runs in a thread of its own, in which the Worker, its objects and its bindings are, too: a test has the
 * very instances that it calls. What they store is in memory, and gone with the thread.
 */
export { cloudflareTest } from './vitest/plugin.ts';
export { cloudflarePool } from './vitest/pool.ts';
