/** What the commands on a data directory share. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listLogDirectories } from '#hosts';
import {
  type Access,
  MaintenanceError,
  type Moment,
  momentForms,
  type ObjectPlace,
  openAccess,
  openLiveAccess,
  parseMoment,
  type Row,
} from '#maintenance';
import { type Arguments, CommandError, UsageError } from '../command.ts';
import { ProgressLine } from './progress-line.ts';

export const directoryOptions = {
  data: {
    value: 'DIRECTORY',
    help: 'directory of the objects: --data of serve, --persist-to of dev (./data)',
  },
  json: { help: 'print one JSON object per line' },
} as const;

export const timeOption = {
  time: {
    value: 'MOMENT',
    help: 'the state at this time (1h ago: 1h; 2026-01-31T12:00:00Z; a bookmark) instead of now',
  },
} as const;

export function readDirectory(args: Arguments): string {
  const directory = resolve(args.values['data'] ?? 'data');
  if (!hasObjects(directory)) {
    throw new CommandError(`there are no objects in ${directory}: choose their directory with --data`);
  }
  return directory;
}

function hasObjects(directory: string): boolean {
  return listLogDirectories(directory).some(hasJournal);
}

/** A folder of that name alone may belong to another program, and opening it would create files in it. */
function hasJournal(directory: string): boolean {
  const journal = join(directory, 'journal');
  return existsSync(journal) && readdirSync(journal).some((name) => /^[0-9a-f]{16}\.log$/.test(name));
}

export function readPlace(args: Arguments): ObjectPlace {
  const [className, object] = args.positionals as [string, string];
  return { className, object };
}

/** The moment that an option names. */
export function readMoment(text: string | undefined, name: string): Moment | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text, Date.now());
  if (moment !== undefined) return moment;
  throw new UsageError(`${name} must be ${momentForms}: ${text}`);
}

export function printRow(args: Arguments, row: Row): void {
  const text = args.switches.has('json') ? JSON.stringify(row) : Object.values(row).join('  ').trimEnd();
  process.stdout.write(`${text}\n`);
}

/**
 * Reaches the directory while `work` runs, through the process that has it open if there is one. Errors are reported
 * without a stack, because the command line named what they are about.
 */
export async function withAccess<T>(
  args: Arguments,
  mode: 'look' | 'change',
  work: (access: Access, progress: ProgressLine) => Promise<T>,
): Promise<T> {
  const directory = resolve(args.values['data'] ?? 'data');
  using progress = new ProgressLine();
  const options = { directory, onProgress: progress.show };
  // Nothing of the objects of a cluster is in the directory of a host: only the host itself reaches them, while it runs.
  const live = hasObjects(directory) ? undefined : await openLiveAccess(options);
  await using access = live ?? (await openAccess({ ...options, directory: readDirectory(args), mode }));
  try {
    return await work(access, progress);
  } catch (error) {
    if (!(error instanceof MaintenanceError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}
