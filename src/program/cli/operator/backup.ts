/** `gatehouse backup` and `gatehouse restore`: a whole data directory. */
import { resolve } from 'node:path';
import { backUp, OperatorError, restoreBackup } from '#operator';
import { loadNamedFiles } from '#deployments';
import { type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { directoryOptions, printRow, readMoment, withAccess } from './directory.ts';
import { formatBytes, ProgressLine } from './progress-line.ts';

const backup: Command = {
  name: 'backup',
  parameters: '<folder>',
  summary: 'Copy a whole data directory into a folder, even while a server runs on it.',
  details: `The copy is of one moment. If the folder has an earlier backup of the same directory, only new data is copied, and the earlier backup stays valid until the new one is complete. gatehouse restore turns it into a data directory again.`,
  options: directoryOptions,
  async run(args) {
    const to = resolve(args.positionals[0]!);
    const result = await withAccess(args, 'change', (access, { show: onProgress }) =>
      backUp(access, { to, onProgress }),
    );
    const { files, bytes, copied, position } = result;
    const time = new Date(result.time).toISOString();
    if (args.switches.has('json')) printRow(args, { folder: to, time, position, files, bytes, copied });
    else
      process.stdout.write(
        `${to}: ${files} files, ${formatBytes(bytes)} (${formatBytes(copied)} copied), as of ${time}\n`,
      );
  },
};

const restore: Command = {
  name: 'restore',
  parameters: '<folder>',
  summary: 'Make a data directory from a backup, as of its end or of an earlier moment.',
  details:
    'To restore in place of the data directory of a server, stop the server and move the old directory away first.',
  options: {
    to: { value: 'DIRECTORY', help: 'the data directory to create; it must be empty or missing' },
    time: { value: 'MOMENT', help: 'go back to this time: 1h for an hour ago, or 2026-01-31T12:00:00Z' },
    json: directoryOptions.json,
  },
  async run(args) {
    const { to } = args.values;
    if (to === undefined) throw new UsageError('gatehouse restore needs --to DIRECTORY');
    const moment = readMoment(args.values['time'], '--time');
    if (moment !== undefined && 'bookmark' in moment) {
      throw new UsageError(
        '--time must be a time: a bookmark belongs to one object, and a backup has all of them',
      );
    }
    using progress = new ProgressLine();
    const directory = resolve(to);
    const folder = resolve(args.positionals[0]!);
    const result = await restoreBackup({
      backup: folder,
      to: directory,
      time: moment?.time,
      onProgress: progress.show,
      named: await loadNamedFiles(),
    }).catch((error: unknown) => {
      const isExplained = error instanceof OperatorError || error instanceof RangeError;
      throw isExplained ? new CommandError(error.message, { cause: error }) : error;
    });
    const time = result.time === undefined ? undefined : new Date(result.time).toISOString();
    const { position, files, bytes, lost, missing } = result;
    if (args.switches.has('json')) printRow(args, { directory, time, position, files, bytes });
    else
      process.stdout.write(
        `${directory}: ${formatBytes(bytes)}; the last write was at ${time ?? 'no time'}\n`,
      );
    for (const { file, problem, detail } of lost)
      process.stderr.write(`lost: ${file}: ${problem}; ${detail}\n`);
    for (const { file, className, object } of missing)
      process.stderr.write(`lost: ${file}, which ${className} ${object} names, is not in the backup\n`);
    return lost.length + missing.length === 0 ? exitCodes.success : exitCodes.failure;
  },
};

export const backupCommands: readonly Command[] = [backup, restore];
