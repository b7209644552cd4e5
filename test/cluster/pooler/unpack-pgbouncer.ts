/**
 * PgBouncer as Debian has it, with all the libraries that it needs, downloaded and unpacked without root and started by
 * its own loader: so each version runs on every Linux that has apt, whatever is installed. The unpacked files are kept
 * below node_modules, where no other user can plant programs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInCache } from '../../../tools/cache-folder.ts';
import { makeReadable } from '../unprivileged.ts';

const packages = {
  /** PgBouncer 1.18, which does not keep prepared statements of clients. */
  bookworm: [
    'libc-ares2',
    'libevent-2.1-7',
    'libssl3',
    'libgcrypt20',
    'libgpg-error0',
    'liblz4-1',
    'liblzma5',
  ],
  /** PgBouncer 1.24, which does. */
  trixie: ['libcares2', 'libevent-2.1-7t64', 'libssl3t64', 'zlib1g'],
} as const;

const packagesOfAll = [
  'pgbouncer',
  'libc6',
  'libpam0g',
  'libsystemd0',
  'libaudit1',
  'libcap-ng0',
  'libcap2',
  'libzstd1',
];

const mirror = 'http://deb.debian.org/debian';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

export type Release = keyof typeof packages;

/** The command that starts it. */
export function unpackPgBouncer(release: Release): readonly [file: string, ...args: string[]] {
  const folder = findInCache(`pgbouncer-${release}`);
  const unpacked = join(folder, 'root');
  if (!existsSync(unpacked)) {
    try {
      download(release, folder);
    } catch (error) {
      throw new Error(
        `could not get PgBouncer: this needs apt-get, dpkg-deb, the keys of Debian (${keyring}) and a way to ${mirror}`,
        { cause: error },
      );
    }
  }
  const root = makeReadable(unpacked, 'pgbouncer');
  const libraries = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'].map((path) => join(root, path));
  const loader = libraries
    .map((path) => join(path, 'ld-linux-x86-64.so.2'))
    .find((path) => existsSync(path))!;
  return [loader, '--library-path', libraries.join(':'), join(root, 'usr/sbin/pgbouncer')];
}

function download(release: Release, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${keyring}] ${mirror} ${release} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const run = (...args: readonly string[]): void =>
    void execFileSync('apt-get', [...options, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  run('update');
  run('download', ...packagesOfAll, ...packages[release]);
  const unpacked = join(folder, 'unpacked');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(folder, name), unpacked]);
  renameSync(unpacked, join(folder, 'root'));
}
