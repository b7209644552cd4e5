/**
 * Projects of Workers under test: the functions of `@cloudflare/vitest-plugin`, with the objects and bindings of the
 * project in memory and its code in the same process as the tests.
 *
 * ```ts
 * await using project = await openTestProject({ wrangler: { configPath: './wrangler.jsonc' } });
 * const response = await project.SELF.fetch('https://example.com/');
 * const stub = project.env.COUNTER.getByName('visits');
 * await project.runInDurableObject(stub, (instance, state) => state.storage.get('count'));
 * ```
 */
export { type D1Migration, readD1Migrations } from './tested-projects/d1-migrations.ts';
export { FunctionTable } from './tested-projects/function-table.ts';
export { openTestProject } from './tested-projects/open-test-project.ts';
export { readOptions, type TestProjectOptions, type TestSetup } from './tested-projects/options.ts';
export { type EvictionOptions, TestProject } from './tested-projects/tested-project.ts';
export type { FunctionNumber } from './tested-projects/worker-setup.ts';
