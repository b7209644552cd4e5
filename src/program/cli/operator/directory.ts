/** Shared by the commands on a data directory. */
import { resolve } from 'node:path';
import { hasObjects } from '#hosts';
import { objectCodes } from '#contract';
import { ApiError, ConnectionError } from '#client';
import {
  explainRefusal,
  type Moment,
  momentForms,
  type ObjectPlace,
  openAccess,
  openLiveAccess,
  type OperatorAccess,
  OperatorError,
  parseMoment,
} from '#operator';
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
    help: 'the state at this time instead of now: 1h for an hour ago, 2026-01-31T12:00:00Z, or a bookmark',
  },
} as const;

export function readDirectory(args: Arguments): string {
  const directory = resolve(args.values['data'] ?? 'data');
  if (hasObjects(directory)) return directory;
  const hint =
    args.values['data'] === undefined && hasObjects(resolve(devDirectory))
      ? `those of gatehouse dev are in ${resolve(devDirectory)}: add --data ${devDirectory}`
      : 'choose their directory with --data';
  throw new CommandError(`there are no objects in ${directory}: ${hint}`);
}

/** Where `dev` stores objects beside its configuration. It is not the default, because these commands make changes. */
const devDirectory = '.gatehouse/state';

export function readPlace(args: Arguments): ObjectPlace {
  const [class_name, object] = args.positionals as [string, string];
  return { class_name, object };
}

/** The moment in an option. */
export function readMoment(text: string | undefined, name: string): Moment | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text, Date.now());
  if (moment !== undefined) return moment;
  throw new UsageError(`${name} must be ${momentForms}: ${text}`);
}

type PrintedRow = Readonly<Record<string, string | number | undefined>>;

export function printRow(args: Arguments, row: PrintedRow): void {
  const text = args.switches.has('json') ? JSON.stringify(row) : Object.values(row).join('  ').trimEnd();
  process.stdout.write(`${text}\n`);
}

/**
 * Gives access to the directory while `work` runs, through the process that has it open if there is one. Errors are
 * reported without a stack, because the command line names their subject.
 */
export async function withAccess<T>(
  args: Arguments,
  mode: 'look' | 'change',
  work: (access: OperatorAccess, progress: ProgressLine) => Promise<T>,
): Promise<T> {
  const directory = resolve(args.values['data'] ?? 'data');
  using progress = new ProgressLine();
  try {
    // The objects of a cluster are not in the directory of a host: only the running host itself reaches them.
    const live = hasObjects(directory) ? undefined : await openLiveAccess(directory);
    await using access = live ?? (await openAccess({ directory: readDirectory(args), mode }));
    return await work(access, progress);
  } catch (error) {
    const message = explain(error, args);
    throw message === undefined ? error : new CommandError(message, { cause: error });
  }
}

/** The server's message in terms of the command line; undefined if the message is not an explanation. */
function explain(
  error: unknown,
  { positionals: [className = '', object = '', key = ''] }: Arguments,
): string | undefined {
  if (error instanceof OperatorError || error instanceof ConnectionError) return error.message;
  if (!(error instanceof ApiError)) return undefined;
  const [entry] = error.errors;
  const hint = entry === undefined ? undefined : hints[entry.code];
  if (hint !== undefined) return hint(className, object, key);
  return explainRefusal(error);
}

const hints: Readonly<Record<number, (className: string, object: string, key: string) => string>> = {
  [objectCodes.objectNotFound.code]: (className, object) =>
    `${className} has no object ${object}: gatehouse objects list ${className} lists its objects`,
  [objectCodes.objectHasNoHistory.code]: (className) =>
    `${className} has key-value storage, which keeps no history`,
  [objectCodes.objectValueNotFound.code]: (className, object, key) =>
    `${className} ${object} has no value ${key}`,
  [objectCodes.objectAlarmNotSet.code]: (className, object) =>
    `${className} ${object} has no alarm that could run: gatehouse objects alarms shows those that are set`,
};
