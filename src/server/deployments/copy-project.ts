/** Copies the files of a project, so that a version stays what it was when it was deployed. */
import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { StartError } from '../data-directory.ts';
import { projectBytesMax, projectFilesMax } from './limits.ts';

/** State of tools, and what they can make again. */
const leftOut: ReadonlySet<string> = new Set(['.git', '.gatehouse', '.wrangler']);

export interface CopiedProject {
  /** What to run, relative to the copy. */
  readonly entry: string;
  /** Of names and contents: equal copies have equal ones. */
  readonly digest: string;
}

interface CopyOptions {
  /** A configuration, a module, or a folder with a configuration. */
  readonly path: string;
  readonly to: string;
  /** Never copied: the data directory, if it is inside of the project. */
  readonly except: string;
}

/** Packages are not copied: a link leads to those of the project. */
export async function copyProject({ path, to, except }: CopyOptions): Promise<CopiedProject> {
  const from = resolve(path);
  const status = await lstat(from).catch(() => undefined);
  if (status === undefined) throw new StartError(`there is no such file or directory: ${from}`);
  const isFolder = status.isDirectory();
  const root = isFolder ? from : dirname(from);
  const copy = new ProjectCopy({ root, to, except: resolve(except) });
  await copy.run();
  return { entry: isFolder ? '.' : basename(from), digest: copy.digest };
}

class ProjectCopy {
  readonly #root: string;
  readonly #to: string;
  readonly #except: string;
  readonly #hash = createHash('sha256');
  #files = 0;
  #bytes = 0;

  constructor(parts: { readonly root: string; readonly to: string; readonly except: string }) {
    this.#root = parts.root;
    this.#to = parts.to;
    this.#except = parts.except;
  }

  get digest(): string {
    return this.#hash.digest('hex');
  }

  async run(): Promise<void> {
    await this.#copyFolder(this.#root);
  }

  async #copyFolder(folder: string): Promise<void> {
    const target = this.#toTarget(folder);
    await mkdir(target, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).toSorted();
    for (const name of names) {
      const source = join(folder, name);
      if (leftOut.has(name) || source === this.#except) continue;
      if (name === 'node_modules') await symlink(source, join(target, name));
      else await this.#copyEntry(source);
    }
  }

  async #copyEntry(source: string): Promise<void> {
    const status = await lstat(source);
    const target = this.#toTarget(source);
    if (status.isDirectory()) return await this.#copyFolder(source);
    if (status.isSymbolicLink()) {
      await symlink(resolve(dirname(source), await readlink(source)), target);
    } else if (status.isFile()) {
      this.#count(status.size);
      await copyFile(source, target);
      this.#hash.update(`${relative(this.#root, source)}\0${status.size}\0`).update(await readFile(target));
    }
  }

  #count(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files <= projectFilesMax && this.#bytes <= projectBytesMax) return;
    throw new StartError(
      `${this.#root} is too large for a project: more than ${projectFilesMax} files or ${projectBytesMax} bytes; ` +
        'move what the Worker does not need elsewhere',
    );
  }

  #toTarget(source: string): string {
    return join(this.#to, relative(this.#root, source));
  }
}
