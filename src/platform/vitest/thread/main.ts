/** Begins a thread for tests: what Node compiles is kept on disk, because every test file begins with the same modules. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { importQuickly } = await import('#base');
importQuickly();
await import('./run-tests.ts');
