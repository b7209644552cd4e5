/**
 * Checks a data directory with all directories in it; one that cannot be opened does not stop the check of the others.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { scrubTraffic } from '#events';
import { hasObjects } from '#hosts';
import type { Damage } from '#objects';
import { listInnerDirectories, listUnchecked, scrubFiles } from '#operator';
import { type Arguments, type Command, exitCodes } from '../command.ts';
import { openEventFiles } from '../event-files.ts';
import { directoryOptions as options, printRow, readDirectory, withAccess } from './directory.ts';
import type { ProgressLine } from './progress-line.ts';

type Report = (damage: Damage, progress?: ProgressLine) => void;

export const scrubCommand: Command = {
  name: 'objects scrub',
  parameters: '',
  summary:
    'Read everything on disk, including the stores and all Workers, and report damaged and missing data: file, byte, problem; then the folders whose files have no checksums. Exit code 1 if anything is damaged.',
  options,
  async run(args) {
    const directory = resolve(args.values['data'] ?? 'data');
    let found = 0;
    const report: Report = ({ file, offset, problem }, progress) => {
      found++;
      progress?.clear();
      printRow(args, { file, offset, problem });
    };
    if (!existsSync(directory)) readDirectory(args);
    const inner = listInnerDirectories(directory);
    for (const each of [directory, ...inner]) await scrubOne(args, each, report);
    if (found === 0 && !args.switches.has('json')) process.stdout.write('nothing is damaged or missing\n');
    const unchecked = [directory, ...inner].flatMap(listUnchecked).map((each) => relative(directory, each));
    if (unchecked.length > 0)
      process.stderr.write(`not checked, because their files have no checksums: ${unchecked.join(', ')}\n`);
    return found === 0 ? exitCodes.success : exitCodes.failure;
  },
};

async function scrubOne(args: Arguments, directory: string, report: Report): Promise<void> {
  const own: Arguments = { ...args, values: { ...args.values, data: directory } };
  const isInner = directory !== resolve(args.values['data'] ?? 'data');
  try {
    for await (const damage of scrubFiles(directory, { isInner })) report(damage);
    // A Worker without objects has none of their folders.
    if (isInner && !hasObjects(directory)) return;
    await withAccess(own, 'look', async (access, progress) => {
      const { show: onProgress } = progress;
      for await (const damage of access.client.lines('GET', '/scrub', { onProgress }))
        report(damage, progress);
      // A running server reads its logs itself.
      if (!access.isLive) await scrubLogs(directory, (damage) => report(damage, progress));
    });
  } catch (error) {
    const { file, offset = 0, message } = describe(error);
    // Nothing exists to check: a wrong path.
    if (!isInner && file === undefined) throw error;
    report({ file: file ?? directory, offset, problem: message });
  }
}

/** The reason why a directory cannot be opened is a result of the check, not a failure of it. */
function describe(error: unknown): { file?: string; offset?: number; message: string } {
  const { message, cause } = error as Error;
  const {
    file,
    offset,
    code = '',
  } = { ...(cause as object), ...(error as object) } as {
    readonly file?: string;
    readonly offset?: number;
    readonly code?: string;
  };
  if (file !== undefined) return { file, ...(offset === undefined ? {} : { offset }), message };
  return damageCodes.has(code) ? { file: message.match(/\/\S+/)?.[0] ?? '', message } : { message };
}

const damageCodes: ReadonlySet<string> = new Set([
  'HOSTS_FILE_DAMAGED',
  'HOST_FOLDER_MISSING',
  'DIRECTORY_MISMATCH',
]);

/** The activity log and the counts of requests. Opening the log sets damage at its end aside, which is reported. */
async function scrubLogs(directory: string, report: (damage: Damage) => void): Promise<void> {
  const events = join(directory, 'events');
  try {
    await using store = await openEventFiles(directory, (message, error) =>
      report({
        file: events,
        offset: 0,
        problem: `${message}: ${(error as Error | undefined)?.message ?? ''}`,
      }),
    );
    for await (const damage of store?.scrub() ?? []) report(damage);
  } catch (error) {
    const { file = events, offset = 0, message } = describe(error);
    report({ file, offset, problem: message });
  }
  const traffic = join(directory, 'traffic');
  if (!existsSync(traffic)) return;
  try {
    for await (const damage of scrubTraffic(traffic)) report(damage);
  } catch (error) {
    const { file = traffic, offset = 0, message } = describe(error);
    report({ file, offset, problem: message });
  }
}
