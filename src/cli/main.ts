/**
 * The program's entry. Compiled code is kept from one start to the next, since most of a start goes into it; beside the packages,
 * where whoever could change it could change the code as well. Where nothing can be written, it is compiled again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const inClone = new URL('../../node_modules/', import.meta.url);
const packages = existsSync(inClone) ? inClone : new URL('../../../', import.meta.url);
enableCompileCache(fileURLToPath(new URL('.cache/gatehouse', packages)));

const { runCli } = await import('./run.ts');
process.exitCode = await runCli(process.argv.slice(2));
