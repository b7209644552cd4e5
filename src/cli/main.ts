/**
 * The entry point of the program. Compiled code is cached between starts, because most of the time of a start is
 * compilation. The cache is beside the packages, where only users who can change the code can write. Where nothing can be
 * written, the code is compiled again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(findPackageJSON('.', import.meta.url)!);
const inClone = join(root, 'node_modules');
enableCompileCache(join(existsSync(inClone) ? inClone : dirname(root), '.cache/gatehouse'));

const args = process.argv.slice(2);
const ahead = args[0] === 'serve' ? await import('./edge-worker-ahead.ts') : undefined;
ahead?.startEdgeWorkerAhead(args, process.env);
const { runCli } = await import('./run.ts');
process.exitCode = await runCli(args);
ahead?.endEdgeWorkerAhead();
