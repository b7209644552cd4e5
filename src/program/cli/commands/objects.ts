/**
 * Maintains the objects in a directory: `gatehouse objects …`. If a server runs on it, the server does the work;
 * otherwise the directory is opened without the objects' code, so no alarm fires and no object wakes.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listLogDirectories } from '#hosts';
import {
  describeRepair,
  exportDatabase,
  importDatabase,
  listHistory,
  openLiveAccess,
  type Repaired,
  restoreObject,
} from '#operator';
import { repairDirectory } from '#objects';
import { type Arguments, type Command, exitCodes, UsageError } from '../command.ts';
import {
  directoryOptions as options,
  printRow,
  readDirectory,
  readMoment,
  readPlace,
  timeOption,
  withAccess,
} from '../operator/directory.ts';
import { changeCommands } from '../operator/change.ts';
import { getCommand } from '../operator/get.ts';
import { moveInCommand } from '../operator/move-in.ts';
import { scrubCommand } from '../operator/scrub.ts';
import { sqlCommand } from '../operator/sql.ts';
import { readWholeNumber } from '../parse-arguments.ts';

const list: Command = {
  name: 'objects list',
  parameters: '[class]',
  summary: 'List the objects that have stored something: class, id, name.',
  options,
  async run(args) {
    const [className] = args.positionals;
    await withAccess(args, 'look', async (access) => {
      const query = { class: className };
      for await (const { class: each, id, name } of access.client.lines('GET', '/object_names', { query }))
        printRow(args, { class: each, id, name });
    });
  },
};

const history: Command = {
  name: 'objects history',
  parameters: '<class> <name-or-id>',
  summary: 'List the points to which an object can be restored, newest first: bookmark, time, kind, bytes.',
  options: {
    ...options,
    time: { value: 'MOMENT', help: 'only points up to this time (1h, 2026-01-31T12:00:00Z or a bookmark)' },
    limit: { value: 'N', help: 'maximum number of points (100)' },
  },
  async run(args) {
    const limit = readWholeNumber(args, 'limit', { min: 1, max: 1_000_000 }) ?? 100;
    const at = readMoment(args.values['time'], '--time');
    await withAccess(args, 'look', async (access) => {
      for await (const { bookmark, time, kind, bytes } of listHistory(access, readPlace(args), { limit, at }))
        printRow(args, { bookmark, time, kind, bytes });
    });
  },
};

const restore: Command = {
  name: 'objects restore',
  parameters: '<class> <name-or-id> [bookmark]',
  summary: 'Restore an object to a bookmark or a time; prints the bookmark that undoes it.',
  options: {
    ...options,
    time: { value: 'MOMENT', help: 'instead of a bookmark: 1h for an hour ago, or 2026-01-31T12:00:00Z' },
  },
  async run(args) {
    const bookmark = args.positionals[2];
    const { time } = args.values;
    if ((bookmark === undefined) === (time === undefined)) {
      throw new UsageError('gatehouse objects restore needs a bookmark or --time, and not both');
    }
    const at = bookmark === undefined ? readMoment(time, '--time')! : { bookmark };
    const undo = await withAccess(args, 'change', (access, { show: onProgress }) =>
      restoreObject(access, readPlace(args), { at, onProgress }),
    );
    printRow(args, { undo });
  },
};

const exportObject: Command = {
  name: 'objects export',
  parameters: '<class> <name-or-id> <file.sqlite>',
  summary: "Write an object's database as a plain SQLite file.",
  options: { ...options, ...timeOption, at: { value: 'BOOKMARK', help: 'the same as --time' } },
  async run(args) {
    const at = readMoment(
      args.values['time'] ?? args.values['at'],
      args.values['time'] === undefined ? '--at' : '--time',
    );
    const file = resolve(args.positionals[2]!);
    await withAccess(args, 'look', (access, { show: onProgress }) =>
      exportDatabase(access, readPlace(args), { file, at, onProgress }),
    );
    printRow(args, { file });
  },
};

const importObject: Command = {
  name: 'objects import',
  parameters: '<class> <name-or-id> <file.sqlite>',
  summary: "Replace an object's database with a SQLite file; prints the bookmark that undoes it.",
  options,
  async run(args) {
    const file = resolve(args.positionals[2]!);
    const undo = await withAccess(args, 'change', (access, { show: onProgress }) =>
      importDatabase(access, readPlace(args), { file, onProgress }),
    );
    printRow(args, { undo });
  },
};

function sayIfWhole(args: Arguments, found: number): void {
  if (found === 0 && !args.switches.has('json')) process.stdout.write('nothing is damaged or missing\n');
}

const repair: Command = {
  name: 'objects repair',
  parameters: '',
  summary:
    'Rebuild damaged or missing files from the log: object, outcome, file, problem, detail. Exit code 1 if something is lost.',
  details: `While a server runs, images are rebuilt; the tables are rebuilt only when it is stopped. Nothing is deleted: a damaged file stays beside the rebuilt one, with .damaged after its name. The log itself cannot be rebuilt: restore lost parts of it from a backup. Undamaged objects can still be saved with gatehouse objects export.`,
  options: { ...options, 'dry-run': { help: 'show what would be rebuilt, and rebuild nothing' } },
  async run(args) {
    let found = 0;
    let lost = 0;
    for await (const repair of repairAll(readDirectory(args), args.switches.has('dry-run'))) {
      const { class: className, id, name, outcome, file, problem, detail } = repair;
      found++;
      if (outcome === 'lost') lost++;
      printRow(args, { class: className, id, name, outcome, file, problem, detail });
    }
    sayIfWhole(args, found);
    return lost === 0 ? exitCodes.success : exitCodes.failure;
  },
};

async function* repairAll(directory: string, dryRun: boolean): AsyncGenerator<Repaired> {
  const live = await openLiveAccess(directory);
  if (live !== undefined) {
    yield* live.client.lines('POST', '/repair', { body: { dry_run: dryRun } });
    return;
  }
  // Damage can prevent the directory from being opened, so its repair works without that.
  for (const each of listLogDirectories(directory).filter((log) => existsSync(log)))
    for await (const repair of repairDirectory({ directory: each, dryRun })) yield describeRepair(repair);
}

export const objectsCommands: readonly Command[] = [
  list,
  getCommand,
  sqlCommand,
  ...changeCommands,
  history,
  restore,
  exportObject,
  importObject,
  moveInCommand,
  scrubCommand,
  repair,
];
