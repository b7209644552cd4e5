/**
 * Creates a root directory in which the single executable runs: the file, and the libraries that the dynamic loader
 * needs. The container image is built from it. Every Linux mounts the rest: `/proc`, `/dev`, and something writable at
 * `/tmp`.
 *
 *     node tools/build-root.ts              writes out/root, and out/state, an empty folder that only its owner can enter
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executable, notices } from './build-executable.ts';

/** As the loader finds them on this machine. */
function listLibraries(file: string): string[] {
  const text = execFileSync('ldd', [file], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!);
}

function buildRoot(root: string): void {
  rmSync(root, { recursive: true, force: true });
  const place = (path: string): string => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  linkSync(executable, place('usr/bin/gatehouse'));
  for (const path of listLibraries(executable)) copyFileSync(path, place(path));
  copyFileSync(notices, place('usr/share/doc/gatehouse/licences.txt'));
}

if (import.meta.main) {
  const folder = dirname(executable);
  buildRoot(join(folder, 'root'));
  rmSync(join(folder, 'state'), { recursive: true, force: true });
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
}
