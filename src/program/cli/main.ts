/**
 * The entry point of the program. Compiled code is cached between starts, because compilation dominates the start time.
 * The cache is beside the packages, where only users who can change the code can write. If it cannot be written, and in
 * the single executable, the code is compiled again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { endWithReader, outliveReader, signalLostReader } from './terminal/lost-reader.ts';
import { findServingCommand } from './serving-commands.ts';

if (!isSea()) {
  const root = dirname(findPackageJSON('.', import.meta.url)!);
  const inClone = join(root, 'node_modules');
  enableCompileCache(join(existsSync(inClone) ? inClone : dirname(root), '.cache/gatehouse'));
}

const args = process.argv.slice(2);
if (args[0] === 'dev') signalLostReader();
else if (findServingCommand(args[0]) === undefined) endWithReader();
else outliveReader();
process.exitCode = (await isWatched()) ? await watch() : await run();

/** Whether this process only watches the serving one. */
async function isWatched(): Promise<boolean> {
  if (findServingCommand(args[0]) === undefined) return false;
  const { wantsWatchdog } = await import('./watched/wants-watchdog.ts');
  return await wantsWatchdog({
    args: args.slice(1),
    environment: process.env,
    directory: process.cwd(),
    nodeFlags: process.execArgv,
  });
}

async function watch(): Promise<number> {
  const { spawnProgram } = await import('./watched/spawn-program.ts');
  const first = spawnProgram(args);
  const { superviseProgram } = await import('./watched/supervise-program.ts');
  return await superviseProgram(args, first);
}

async function run(): Promise<number> {
  const isServing = findServingCommand(args[0]) !== undefined;
  const { importQuickly } = await import('#base');
  importQuickly();
  const ahead = isServing ? await import('./prefork-processes.ts') : undefined;
  ahead?.preforkProcesses(args, process.env);
  const { runCli } = await import('./run.ts');
  const code = await runCli(args);
  ahead?.endPreforkedProcesses();
  return code;
}
