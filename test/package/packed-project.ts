/**
 * A project that has installed this package: exactly the files that `npm pack` would send, and beside them its
 * dependencies.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const { dependencies: versions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
/**
 * Includes the dependencies of our dependencies, which npm installs beside them, and the types of Node, which every
 * project has.
 */
const modulesBeside = [...Object.keys(versions), 'mmdb-lib', 'tiny-lru', '@types/node', 'undici-types'];

/** npm runs with the Node of the machine, which may not support the options of `tools/before-tests.ts`. */
export const environment = { ...process.env, NODE_OPTIONS: undefined };

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class PackedProject implements Disposable {
  readonly directory: string;
  /** Paths inside the package. */
  readonly files: readonly string[];

  private constructor(directory: string, files: readonly string[]) {
    this.directory = directory;
    this.files = files;
  }

  /** From a folder where everything is built. */
  static install(folder: string): PackedProject {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-packed-'));
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const [{ files }] = JSON.parse(listing) as [{ readonly files: readonly { readonly path: string }[] }];
    const modules = join(directory, 'node_modules');
    for (const { path } of files) {
      const target = join(modules, 'gatehouse', path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(folder, path), target);
    }
    for (const name of modulesBeside) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    }
    mkdirSync(join(modules, '.bin'));
    symlinkSync('../gatehouse/gatehouse', join(modules, '.bin/gatehouse'));
    return new PackedProject(
      directory,
      files.map(({ path }) => path),
    );
  }

  /** Runs in the project, without any `node` on the path, so that only the packaged one can be found. */
  run(file: string, ...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: this.directory, env: { PATH: '/usr/bin:/bin' } };
      execFile(file, args, options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }
}
