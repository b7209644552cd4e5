/** Rules in the Debian package `modsecurity-crs`: apt downloads it and dpkg extracts it, both without root. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { downloadMsMax, unpackedBytesMax } from '../limits.ts';
import { CrsError } from '../problem.ts';
import { checkSum } from './archive.ts';
import { chooseFiles, type FoundRules } from './choose-files.ts';
import { listTarFiles } from './tar.ts';

const packageName = 'modsecurity-crs';
const run = promisify(execFile);

/** The path of the package in the folder. */
export async function downloadDebianPackage(folder: string): Promise<string> {
  const options = { cwd: folder, timeout: downloadMsMax, env: { ...process.env, LC_ALL: 'C' } };
  try {
    await run('apt-get', ['-q', 'download', packageName], options);
  } catch (error) {
    throw new CrsError(
      `could not download the package ${packageName} with apt-get: ${explain(error)}; give a directory or an archive instead`,
      { cause: error },
    );
  }
  const name = readdirSync(folder).find(
    (each) => each.startsWith(`${packageName}_`) && each.endsWith('.deb'),
  );
  if (name === undefined) throw new CrsError(`apt-get has left no package ${packageName} in ${folder}`);
  return join(folder, name);
}

export async function readDebianPackage(path: string, sha256?: string): Promise<FoundRules> {
  if (sha256 !== undefined) checkSum(path, readFileSync(path), sha256);
  const version = (await readWithDpkg(['--field', path, 'Version'])).toString('utf8').trim();
  const archive = await readWithDpkg(['--fsys-tarfile', path]);
  return { ...chooseFiles(await listTarFiles(archive, path), basename(path)), version };
}

async function readWithDpkg(args: readonly string[]): Promise<Buffer> {
  try {
    const { stdout } = await run('dpkg-deb', args, { encoding: 'buffer', maxBuffer: unpackedBytesMax });
    return stdout;
  } catch (error) {
    throw new CrsError(`could not read the package with dpkg-deb: ${explain(error)}`, { cause: error });
  }
}

function explain(error: unknown): string {
  const { code, stderr, message } = error as { code?: unknown; stderr?: string | Buffer; message: string };
  if (code === 'ENOENT') return 'this system does not have it';
  return (
    String(stderr ?? '')
      .trim()
      .split('\n')
      .at(-1) || message
  );
}
