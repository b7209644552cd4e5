/**
 * A container file without a container engine: it is parsed, its commands run in folders that act as the roots of its
 * stages, and the container of the last stage (environment, command, health check) can be started from there.
 *
 * `npm ci` installs what the lock file says. The modules of this clone were installed from the same one, so they are
 * linked instead of downloaded again. Likewise, the dashboard that this clone has built is copied to the sources: the
 * build keeps it if it was built from the same files.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path/posix';
import { environment } from './packed-project.ts';

export interface Instruction {
  readonly name: string;
  /** `--from=build` of a COPY. */
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function parseContainerfile(text: string): readonly Stage[] {
  const stages: { image: string; name: string; instructions: Instruction[] }[] = [];
  const lines = text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  for (const line of lines) {
    const [, name, flags, rest] = /^([A-Z]+)((?: --[a-z-]+=\S+)*) (.*)$/.exec(line)!;
    const pairs = [...flags!.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag, value]) => [flag!, value!]);
    if (name === 'FROM') {
      const [image, , alias] = rest!.split(' ');
      stages.push({ image: image!, name: alias ?? String(stages.length), instructions: [] });
    } else stages.at(-1)!.instructions.push({ name: name!, flags: Object.fromEntries(pairs), text: rest! });
  }
  return stages;
}

export function listOf(stage: Stage, name: string): readonly Instruction[] {
  return stage.instructions.filter((each) => each.name === name);
}

/** Where the dashboard is built. */
const page = 'dist/dashboard';

export class BuiltStages implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-container-'));
  readonly #clone: string;
  readonly #ignored: readonly string[];

  constructor(clone: string, stages: readonly Stage[]) {
    this.#clone = resolve(clone);
    this.#ignored = readFileSync(join(clone, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    for (const stage of stages) this.#build(stage);
  }

  /** The folder that acts as the root of a stage. */
  root(name: string): string {
    return join(this.#folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  #build(stage: Stage): void {
    const root = this.root(stage.name);
    let workdir = '/';
    for (const { name, flags, text } of stage.instructions) {
      if (name === 'WORKDIR') mkdirSync(join(root, (workdir = text)), { recursive: true });
      if (name === 'COPY') this.#copy(flags['from'], text.split(' '), join(root, workdir), root);
      if (name === 'RUN') this.#run(text, join(root, workdir));
    }
  }

  #copy(from: string | undefined, paths: readonly string[], workdir: string, root: string): void {
    const sources = paths.slice(0, -1);
    const last = paths.at(-1)!;
    const target = last.startsWith('/') ? join(root, last) : join(workdir, last);
    for (const source of sources) {
      const path = from === undefined ? join(this.#clone, source) : join(this.root(from), source);
      const isInside = sources.length > 1 || (last.endsWith('/') && !statSync(path).isDirectory());
      const to = isInside ? join(target, source) : target;
      mkdirSync(dirname(to), { recursive: true });
      cpSync(path, to, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (each) => from !== undefined || !this.#isIgnored(relative(this.#clone, each)),
      });
    }
  }

  #isIgnored(path: string): boolean {
    // The contents of an ignored folder are not checked.
    return this.#ignored.some((pattern) =>
      pattern.includes('*') ? matchesGlob(path, pattern) : path === pattern,
    );
  }

  #run(command: string, workdir: string): void {
    if (command.startsWith('npm ci ')) return this.#install(workdir);
    if (/^npm run (?:--silent )?build(?::executable)?(?: -- --no-check)?$/.test(command))
      cpSync(join(this.#clone, page), join(workdir, page), { recursive: true });
    execFileSync('sh', ['-ec', command], {
      cwd: workdir,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  #install(workdir: string): void {
    const lock = JSON.parse(readFileSync(join(workdir, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    for (const path of Object.keys(lock.packages)) {
      const isTopmost = path !== '' && !path.includes('/node_modules/');
      const from = join(this.#clone, path);
      // Packages for other machines are in the lock file as well.
      if (!isTopmost || !existsSync(from)) continue;
      mkdirSync(dirname(join(workdir, path)), { recursive: true });
      // The compiler writes types by the real path of their package, which must be below the sources.
      if (/(?:@types\/node|undici-types)$/.test(path)) cpSync(from, join(workdir, path), { recursive: true });
      else symlinkSync(from, join(workdir, path));
    }
  }
}
