/** Starts a test thread: Node's compile cache is kept on disk, because every test file starts with the same modules. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { importQuickly } = await import('#base');
importQuickly();
await import('./run-tests.ts');
