/**
 * The program's entry. Compiled code is kept from one start to the next, since most of a start goes into it; beside the packages,
 * where whoever could change it could change the code as well. Where nothing can be written, it is compiled again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(findPackageJSON('.', import.meta.url)!);
const inClone = join(root, 'node_modules');
enableCompileCache(join(existsSync(inClone) ? inClone : dirname(root), '.cache/gatehouse'));

const { runCli } = await import('./run.ts');
process.exitCode = await runCli(process.argv.slice(2));
