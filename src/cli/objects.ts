/**
 * Maintains the objects in a directory while no server runs on it: `gatehouse objects …`. The directory is opened without
 * the objects' code, so no alarm fires and no object wakes.
 */
import { AssertionError } from 'node:assert';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createRuntime,
  type DurableObjectId,
  JournalDamageError,
  type ObjectHistory,
  repairDirectory,
  type Runtime,
  TablesDamageError,
} from '#objects';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from './command.ts';
import { readWholeNumber } from './parse-arguments.ts';

const options = {
  data: {
    value: 'DIRECTORY',
    help: 'directory of the objects: --data of serve, --persist-to of dev (./data)',
  },
  json: { help: 'print one JSON object per line' },
} as const;

function readDirectory(args: Arguments): string {
  const directory = resolve(args.values['data'] ?? 'data');
  if (!hasJournal(directory)) {
    throw new CommandError(`there are no objects in ${directory}: choose their directory with --data`);
  }
  return directory;
}

/** A folder of that name alone may belong to another program, and opening it would create files in it. */
function hasJournal(directory: string): boolean {
  const journal = join(directory, 'journal');
  return existsSync(journal) && readdirSync(journal).some((name) => /^[0-9a-f]{16}\.log$/.test(name));
}

type Row = Readonly<Record<string, string | number | undefined>>;

function printRow(args: Arguments, row: Row): void {
  const text = args.switches.has('json') ? JSON.stringify(row) : Object.values(row).join('  ').trimEnd();
  process.stdout.write(`${text}\n`);
}

/** Sixty-four hexadecimal digits are an id; anything else is a name. */
function findObjectId(runtime: Runtime, className: string, object: string): DurableObjectId {
  const namespace = runtime.namespace(className);
  return /^[0-9a-f]{64}$/i.test(object) ? namespace.idFromString(object) : namespace.idFromName(object);
}

/**
 * Opens the directory while `work` runs. Errors are reported as usage errors, because the command line named the directory.
 * `look` opens it although older files of the log are damaged or missing, to save what is left.
 */
async function withRuntime(
  args: Arguments,
  mode: 'look' | 'change',
  work: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  const directory = readDirectory(args);
  await using runtime = await createRuntime({ directory, classes: 'recorded', salvage: mode === 'look' });
  try {
    await work(runtime);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AssertionError) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

async function withHistory(
  args: Arguments,
  mode: 'look' | 'change',
  work: (history: ObjectHistory) => Promise<void>,
): Promise<number> {
  const [className, object] = args.positionals as [string, string];
  await withRuntime(args, mode, (runtime) => work(runtime.history(findObjectId(runtime, className, object))));
  return exitCodes.success;
}

/** The same for an object that must exist: a mistyped name would be an empty object. */
function withPast(
  args: Arguments,
  mode: 'look' | 'change',
  work: (history: ObjectHistory) => Promise<void>,
): Promise<number> {
  const [className, object] = args.positionals as [string, string];
  return withHistory(args, mode, async (history) => {
    if ((await history.points({ limit: 1 })).length === 0) {
      throw new CommandError(
        `${className} has no object ${object}: gatehouse objects list ${className} shows those it has`,
      );
    }
    await work(history);
  });
}

const list: Command = {
  name: 'objects list',
  parameters: '[class]',
  summary: 'List the objects that have stored something: class, id, name.',
  options,
  async run(args) {
    const [only] = args.positionals;
    await withRuntime(args, 'look', async (runtime) => {
      for (const className of only === undefined ? runtime.classNames : [only]) {
        for await (const { id, name } of runtime.objects(className)) {
          printRow(args, { class: className, id: id.toString(), name });
        }
      }
    });
    return exitCodes.success;
  },
};

const history: Command = {
  name: 'objects history',
  parameters: '<class> <name-or-id>',
  summary: 'List the points that an object can be restored to, newest first: bookmark, time, kind, bytes.',
  options: { ...options, limit: { value: 'N', help: 'maximum number of points (100)' } },
  run(args) {
    const limit = readWholeNumber(args, 'limit', { min: 1, max: 1_000_000 }) ?? 100;
    return withPast(args, 'look', async (object) => {
      for (const { bookmark, time, kind, bytes } of await object.points({ limit })) {
        printRow(args, { bookmark, time: time.toISOString(), kind, bytes });
      }
    });
  },
};

const restore: Command = {
  name: 'objects restore',
  parameters: '<class> <name-or-id> [bookmark]',
  summary: 'Restore an object to a bookmark or a time; prints the bookmark that undoes it.',
  options: {
    ...options,
    time: { value: 'TIME', help: 'instead of a bookmark, such as 2026-01-31T12:00:00Z' },
  },
  run(args) {
    const bookmark = args.positionals[2];
    const { time } = args.values;
    if ((bookmark === undefined) === (time === undefined)) {
      throw new UsageError('gatehouse objects restore needs a bookmark or --time, and not both');
    }
    if (time !== undefined && Number.isNaN(Date.parse(time))) {
      throw new UsageError(`--time must be a date such as 2026-01-31T12:00:00Z: ${time}`);
    }
    return withPast(args, 'change', async (object) => {
      const undo = await object.restore(bookmark ?? (await object.bookmarkForTime(Date.parse(time!))));
      printRow(args, { undo });
    });
  },
};

const exportObject: Command = {
  name: 'objects export',
  parameters: '<class> <name-or-id> <file.sqlite>',
  summary: "Write an object's database as a plain SQLite file.",
  options: { ...options, at: { value: 'BOOKMARK', help: 'the state at this time instead of now' } },
  run(args) {
    const { at } = args.values;
    const file = resolve(args.positionals[2]!);
    return withPast(args, 'look', async (object) => {
      await object.exportTo(file, at === undefined ? {} : { at });
      printRow(args, { file });
    });
  },
};

const importObject: Command = {
  name: 'objects import',
  parameters: '<class> <name-or-id> <file.sqlite>',
  summary: "Replace an object's database by a SQLite file; prints the bookmark that undoes it.",
  options,
  run(args) {
    const file = resolve(args.positionals[2]!);
    return withHistory(args, 'change', async (object) =>
      printRow(args, { undo: await object.importFrom(file) }),
    );
  },
};

const scrub: Command = {
  name: 'objects scrub',
  parameters: '',
  summary:
    'Read everything on disk and report what is damaged or missing: file, byte, problem. Exit code 1 if anything is.',
  options,
  async run(args) {
    let found = 0;
    const report = (row: Row): void => {
      found++;
      printRow(args, row);
    };
    try {
      await withRuntime(args, 'look', async (runtime) => {
        for await (const { file, offset, problem } of runtime.scrub()) report({ file, offset, problem });
      });
    } catch (error) {
      // Damage that keeps the directory from being opened is a result of the check, not a failure of it.
      if (!isDamage(error)) throw error;
      report({ file: error.file, offset: error.offset, problem: error.message });
    }
    if (found === 0 && !args.switches.has('json')) process.stdout.write('nothing is damaged or missing\n');
    return found === 0 ? exitCodes.success : exitCodes.failure;
  },
};

function isDamage(error: unknown): error is JournalDamageError | TablesDamageError {
  return error instanceof JournalDamageError || error instanceof TablesDamageError;
}

const repair: Command = {
  name: 'objects repair',
  parameters: '',
  summary:
    'Rebuild files that are damaged or missing from the log: object, outcome, file, problem, detail. Exit code 1 if something is lost.',
  details: `Nothing is deleted: a damaged file stays beside the rebuilt one, with .damaged after its name. The log itself cannot be rebuilt:
lost parts of it have to come from a backup. Undamaged objects can still be saved with gatehouse objects export.`,
  options: { ...options, 'dry-run': { help: 'show what would be rebuilt, and rebuild nothing' } },
  async run(args) {
    const directory = readDirectory(args);
    let found = 0;
    let lost = 0;
    for await (const { object, outcome, file, problem, detail } of repairDirectory({
      directory,
      dryRun: args.switches.has('dry-run'),
    })) {
      found++;
      if (outcome === 'lost') lost++;
      const { className, id, name } = object ?? { className: undefined, id: undefined, name: undefined };
      printRow(args, { class: className, id, name, outcome, file, problem, detail });
    }
    if (found === 0 && !args.switches.has('json')) process.stdout.write('nothing is damaged or missing\n');
    return lost === 0 ? exitCodes.success : exitCodes.failure;
  },
};

export const objectsCommands: readonly Command[] = [
  list,
  history,
  restore,
  exportObject,
  importObject,
  scrub,
  repair,
];
