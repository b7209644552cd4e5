/** `gatehouse crs`: the versions of the OWASP Core Rule Set in a data directory, and the one in force. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OperatorOperations, ResultOf } from '#contract';
import type { OperatorClient } from '#operator';
import {
  type CoreRules,
  CrsError,
  downloadDebianPackage,
  type FoundRules,
  listScoringRules,
  readArchive,
  readDebianPackage,
  readRuleDirectory,
  VersionStore,
  compareVersions,
} from '#seclang';
import { claimDataDirectory, loadOperatorHandlers } from '#server';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { askOperator } from '../operator/ask.ts';

const options = {
  data: { value: 'DIRECTORY', help: 'the data directory of serve (./data)' },
  json: { help: 'print JSON' },
} as const;

const install: Command = {
  name: 'crs install',
  parameters: '[source]',
  summary: 'Install a version of the OWASP Core Rule Set; the first one is activated.',
  details: `Without a source, the Debian package modsecurity-crs is downloaded with apt-get, which needs no root. A source is a .deb file, a release
archive (.tar.gz) with its --checksum, or a directory with an unpacked release. The rules are checked as a whole: if one of them is broken, nothing is
installed. Versions lie side by side; gatehouse crs use chooses one.`,
  options: {
    ...options,
    checksum: { value: 'SHA256', help: 'checksum of the file; required for an archive' },
    name: { value: 'VERSION', help: 'name of the version, instead of the one in the rules' },
    use: { help: 'activate it even if another version is in force' },
  },
  run: (args) =>
    explained(async () => {
      const data = readData(args);
      const found = await readSource(args.positionals[0], args.values['checksum']);
      claimDataDirectory(data, 'control plane');
      const store = new VersionStore(data);
      const { name } = args.values;
      const rules = store.install(found, name === undefined ? {} : { version: name });
      const before = store.readCurrent();
      const isUsed = before === undefined || args.switches.has('use');
      const versions = isUsed ? await putInForce(data, rules.version) : await listVersions(data);
      if (args.switches.has('json')) return print(describe(versions, rules.version));
      const lines = [`installed ${rules.version} from ${found.source}: ${countRules(rules)}`];
      if (isUsed) lines.push(inForce(rules.version));
      else if (before.version === rules.version) lines.push('it is already in force');
      else {
        lines.push(`in force is ${before.version}; changes against it: ${countChanges(before, rules)}`);
        lines.push(`to activate it: gatehouse crs use ${rules.version}`);
      }
      return print(lines.join('\n'));
    }),
};

const list: Command = {
  name: 'crs list',
  parameters: '',
  summary: 'List the installed versions of the OWASP Core Rule Set.',
  options,
  run: (args) =>
    explained(async () => {
      const versions = await listVersions(readData(args));
      if (args.switches.has('json')) return print(JSON.stringify(versions.map(toJson)));
      if (versions.length === 0) return print('no version is installed: gatehouse crs install');
      return print(
        versions
          .map(
            ({ version, source, installed_on: installedAt, is_current: isCurrent }) =>
              `${isCurrent ? '*' : ' '} ${version}  ${installedAt}  ${source}`,
          )
          .join('\n'),
      );
    }),
};

const use: Command = {
  name: 'crs use',
  parameters: '<version>',
  summary: 'Activate an installed version, newer or older, after showing which rules change.',
  details: `A prefix of a version is enough if it is unique. A running server and its edges switch to the version automatically: each request is
judged by the old rules or by the new ones. If the version cannot be loaded, the one in force stays. "none" deactivates them all.`,
  options: {
    ...options,
    'dry-run': { help: 'only show which rules would change' },
  },
  run: (args) =>
    explained(async () => {
      const data = readData(args);
      const store = new VersionStore(data);
      const [given] = args.positionals as [string];
      const isDry = args.switches.has('dry-run');
      if (given === 'none') {
        if (!isDry) await putInForce(data, null);
        return print('no version is in force');
      }
      const version = store.find(given);
      const before = store.readCurrent();
      const after = store.read(version);
      if (!args.switches.has('json')) process.stdout.write(writeChanges(before, after));
      const versions = isDry ? await listVersions(data) : await putInForce(data, version);
      if (args.switches.has('json')) return print(describe(versions, version));
      return print(isDry ? `not activated: ${version}` : inForce(version));
    }),
};

const remove: Command = {
  name: 'crs remove',
  parameters: '<version>',
  summary: 'Remove an installed version of the OWASP Core Rule Set that is not in force.',
  options: { data: options.data },
  run: (args) =>
    explained(async () => {
      const data = readData(args);
      const version = new VersionStore(data).find(args.positionals[0]!);
      await ask(data, (client) => client.delete('/core_rules/{version}', { version }));
      return print(`removed ${version}`);
    }),
};

export const crsCommands: readonly Command[] = [install, list, use, remove];

function readData(args: Arguments): string {
  return resolve(args.values['data'] ?? 'data');
}

async function readSource(source: string | undefined, sha256: string | undefined): Promise<FoundRules> {
  if (source === undefined) return await readFromApt(sha256);
  const status = statSync(source, { throwIfNoEntry: false });
  if (status === undefined) throw new CommandError(`there is no file or directory ${source}`);
  if (status.isDirectory()) return readRuleDirectory(source);
  if (source.endsWith('.deb')) return await readDebianPackage(source, sha256);
  if (!/\.(?:tar\.gz|tgz)$/.test(source)) {
    throw new UsageError(`${source} cannot be installed: it must be a directory, a .deb or a .tar.gz file`);
  }
  if (sha256 === undefined) {
    throw new UsageError('an archive needs --checksum: its checksum, as published with the release');
  }
  return await readArchive(source, sha256);
}

async function readFromApt(sha256: string | undefined): Promise<FoundRules> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crs-'));
  try {
    return await readDebianPackage(await downloadDebianPackage(folder), sha256);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countRules(rules: CoreRules): string {
  const scoring = listScoringRules(rules);
  const levels = [1, 2, 3, 4].map(
    (level) => `${scoring.filter(({ paranoiaLevel }) => paranoiaLevel === level).length} at level ${level}`,
  );
  return `${scoring.length} rules that score (${levels.join(', ')})`;
}

function inForce(version: string): string {
  return `in force: ${version} (a running server switches to it automatically)`;
}

type Versions = ResultOf<OperatorOperations['coreRules.list']>;

/** The command itself reads and compares files; the version in force is read and set through the operator door. */
async function ask(
  data: string,
  call: (client: OperatorClient) => Promise<{ readonly result: Versions }>,
): Promise<Versions> {
  const { createRulesHandlers } = await loadOperatorHandlers();
  return (await askOperator(data, call, createRulesHandlers(data)))!;
}

function listVersions(data: string): Promise<Versions> {
  return ask(data, (client) => client.get('/core_rules'));
}

function putInForce(data: string, version: string | null): Promise<Versions> {
  return ask(data, (client) => client.put('/core_rules/current', { body: { version } }));
}

function describe(versions: Versions, version: string): string {
  return JSON.stringify(versions.filter((each) => each.version === version).map(toJson)[0]);
}

function toJson({ version, source, installed_on, digest, is_current }: Versions[number]): object {
  return { version, source, installedAt: installed_on, digest, isCurrent: is_current };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCodes.success;
}

async function explained(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

/** `12 rules added, 3 removed, 40 changed` */
function countChanges(before: CoreRules, after: CoreRules): string {
  const { added, removed, changed } = compareVersions(before, after);
  return `${added.length} rules added, ${removed.length} removed, ${changed.length} changed`;
}

/** A line for each rule, and one with the counts. */
function writeChanges(before: CoreRules | undefined, after: CoreRules): string {
  if (before === undefined) return 'no version is in force\n';
  const { added, removed, changed } = compareVersions(before, after);
  const marked = [
    ...added.map((rule) => ({ ...rule, mark: '+' })),
    ...removed.map((rule) => ({ ...rule, mark: '-' })),
    ...changed.map((rule) => ({ ...rule, mark: '~' })),
  ].toSorted((a, b) => a.number - b.number);
  const lines = marked.map(({ mark, number, description }) => `${mark} ${number} ${description}`.trimEnd());
  return `${[...lines, `${before.version} -> ${after.version}: ${countChanges(before, after)}`].join('\n')}\n`;
}
