/** Commands that create or change a data directory while no server runs on it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { restoreBackup } from '#operator';
import { runCaptured } from '../../../src/program/cli/testing.ts';
import { testRulesDirectory } from '../../../src/rules/seclang/crs/testing.ts';
import { checkMade, checkServed, checkState, copyOf, type KilledCommand, oldOnly } from '../attempt.ts';
import { expressions, runCommand, type State } from '../rig.ts';

const [old, later] = expressions;

const backup: KilledCommand = {
  decisive: /^rename backup\/backup\.jsonl/,
  async prepare({ t, double }, folder) {
    double.copyTo(folder);
    const to = join(folder, 'backup');
    let restored = 0;
    const restoreIt = async (): Promise<State> => {
      const place = join(folder, `restored-${++restored}`);
      try {
        await restoreBackup({ backup: to, to: join(place, 'data'), time: undefined, onProgress: () => {} });
      } catch (error) {
        return { refused: (error as Error).message };
      }
      return await double.look(t, { folder: place });
    };
    return {
      args: ['backup', 'backup', '--data', 'data'],
      async checkKilled() {
        checkState(await restoreIt(), oldOnly, { mayRefuse: true });
        return false;
      },
      async checkDone() {
        checkState(await restoreIt(), oldOnly);
        checkState(await double.look(t, { folder }), oldOnly);
      },
    };
  },
};

const copyBackup = copyOf(async ({ double }, folder) => {
  double.copyTo(folder, 'source');
  const made = await runCommand(folder, { args: ['backup', 'backup', '--data', 'source'] });
  equal(made.code, 0, made.said);
});

const restore: KilledCommand = {
  decisive: /^rename data\/host-0\/tables/,
  async prepare(parts, folder) {
    await copyBackup(parts, folder);
    return {
      args: ['restore', 'backup', '--to', 'data'],
      ...checkMade(parts, parts.double, folder),
    };
  },
};

/** A backup with a change after the returned moment. */
const copyLaterBackup = copyOf(async ({ t, double }, folder) => {
  double.copyTo(folder);
  const moment = new Date().toISOString();
  deepEqual(await double.look(t, { folder, add: later }), [old, later]);
  const made = await runCommand(folder, { args: ['backup', 'backup', '--data', 'data'] });
  equal(made.code, 0, made.said);
  rmSync(join(folder, 'data'), { recursive: true });
  return moment;
});

/** The copy has the change until it is undone. */
const restoreMoment: KilledCommand = {
  decisive: /^rm data\/restore\.unfinished/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    const moment = await copyLaterBackup(parts, folder);
    return {
      args: ['restore', 'backup', '--to', 'data', '--time', moment],
      ...checkMade(parts, parts.double, folder),
    };
  },
};

/** A directory whose zone was changed after it was exported as `zone.sqlite`; returns the bookmark from before. */
const copyChanged = copyOf(async ({ t, single }, folder) => {
  const data = single.copyTo(folder);
  const place = ['Zone', single.zone];
  const exported = await runCaptured(
    ...['objects', 'export', ...place, join(folder, 'zone.sqlite')],
    ...['--data', data],
  );
  equal(exported.code, 0, exported.stderr);
  const history = await runCaptured('objects', 'history', ...place, '--json', '--data', data);
  const { bookmark } = JSON.parse(history.stdout.split('\n')[0]!) as { readonly bookmark: string };
  deepEqual(await single.look(t, { folder, add: later }), [old, later]);
  return bookmark;
});

const both = [[old], [old, later]];

/** An object is restored to a file that was exported before it was changed. */
const importObject: KilledCommand = {
  decisive: /^rename data\/images/,
  async prepare(parts, folder) {
    await copyChanged(parts, folder);
    const { single } = parts;
    return {
      args: ['objects', 'import', 'Zone', single.zone, 'zone.sqlite', '--data', 'data'],
      ...checkServed(parts, single, folder, { killed: both }),
    };
  },
};

const restoreObject: KilledCommand = {
  decisive: /^rename data\/images/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    const bookmark = await copyChanged(parts, folder);
    const { single } = parts;
    return {
      args: ['objects', 'restore', 'Zone', single.zone, bookmark, '--data', 'data'],
      ...checkServed(parts, single, folder, { killed: both }),
    };
  },
};

const writeSql: KilledCommand = {
  decisive: /^rename data\/images/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    const { single } = parts;
    single.copyTo(folder);
    const statement = `UPDATE filters SET expression = '${later}'`;
    return {
      args: ['objects', 'sql', 'Zone', single.zone, statement, '--write', '--data', 'data'],
      ...checkServed(parts, single, folder, { killed: [[old], [later]], done: [[later]] }),
    };
  },
};

/** The file is complete as soon as it exists. */
const exportObject: KilledCommand = {
  decisive: /^rename zone\.sqlite/,
  isOnlyInSweep: true,
  async prepare({ single }, folder) {
    single.copyTo(folder);
    const file = join(folder, 'zone.sqlite');
    const check = (): void => {
      using database = new DatabaseSync(file, { readOnly: true });
      equal(database.prepare('SELECT expression FROM filters').get()?.['expression'], old);
    };
    return {
      args: ['objects', 'export', 'Zone', single.zone, 'zone.sqlite', '--data', 'data'],
      async checkKilled() {
        if (!existsSync(file)) return false;
        check();
        return true;
      },
      checkDone: async () => check(),
    };
  },
};

const repair: KilledCommand = {
  decisive: /^rename data\/host-0\/tables/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    parts.double.copyTo(folder);
    return {
      args: ['objects', 'repair', '--data', 'data'],
      ...checkServed(parts, parts.double, folder),
    };
  },
};

/** With a version 1.0.0 in force, and another that is called `other`. */
const copyWithRules = copyOf(async ({ single }, folder) => {
  const data = single.copyTo(folder);
  for (const more of [[], ['--name', 'other']]) {
    const installed = await runCaptured('crs', 'install', testRulesDirectory, ...more, '--data', data);
    equal(installed.code, 0, installed.stderr);
  }
});

async function listVersions(folder: string): Promise<string[]> {
  const { stdout } = await runCaptured('crs', 'list', '--json', '--data', join(folder, 'data'));
  const versions = JSON.parse(stdout) as ReadonlyArray<{ version: string; isCurrent: boolean }>;
  return versions.map(({ version, isCurrent }) => `${version}${isCurrent ? ' in force' : ''}`).toSorted();
}

const installRules: KilledCommand = {
  decisive: /^rename data\/crs\/versions/,
  async prepare(parts, folder) {
    parts.single.copyTo(folder);
    const { checkKilled, checkDone } = checkServed(parts, parts.single, folder);
    return {
      args: ['crs', 'install', testRulesDirectory, '--data', 'data'],
      checkKilled,
      async checkDone(outcome) {
        deepEqual(await listVersions(folder), ['1.0.0 in force']);
        await checkDone(outcome);
      },
    };
  },
};

const useRules: KilledCommand = {
  decisive: /^rename data\/crs\/current/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    await copyWithRules(parts, folder);
    return {
      args: ['crs', 'use', 'other', '--data', 'data'],
      async checkKilled() {
        const versions = await listVersions(folder);
        const inForce = versions.filter((each) => each.endsWith('in force'));
        deepEqual([versions.length, inForce.length], [2, 1]);
        return !checkState(await parts.single.look(parts.t, { folder }), oldOnly);
      },
      checkDone: async () => deepEqual(await listVersions(folder), ['1.0.0', 'other in force']),
    };
  },
};

const removeRules: KilledCommand = {
  decisive: /data\/crs\/versions/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    await copyWithRules(parts, folder);
    return {
      args: ['crs', 'remove', 'other', '--data', 'data'],
      async checkKilled() {
        const versions = await listVersions(folder);
        ok(versions.includes('1.0.0 in force'), versions.join());
        checkState(await parts.single.look(parts.t, { folder }), oldOnly);
        return !versions.includes('other');
      },
      checkDone: async () => deepEqual(await listVersions(folder), ['1.0.0 in force']),
    };
  },
};

export const directoryCommands = {
  backup,
  restore,
  'restore to a moment': restoreMoment,
  'objects sql': writeSql,
  'objects export': exportObject,
  'objects import': importObject,
  'objects restore': restoreObject,
  'objects repair': repair,
  'crs install': installRules,
  'crs use': useRules,
  'crs remove': removeRules,
};
