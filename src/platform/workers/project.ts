/**
 * Builds a directory into runnable Workers: the configuration of each Worker, and its built modules. The result is
 * plain data, so that one process can build and others run it.
 *
 * ```ts
 * const [site] = await buildProjects({ path: 'examples', mode: 'production' });
 * site.config.name; // its name for other Workers
 * site.modules.main; // the name of the main module
 * ```
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { serialize } from 'node:v8';
import { CommandRunner } from './build/build-command.ts';
import { Bundler } from './build/bundler.ts';
import { createMissingMain, readUnbundled } from './build/unbundled.ts';
import type { WorkerModules } from './build/worker-modules.ts';
import { noWorker } from './config/assets-settings.ts';
import type { BuildCommand } from './config/build/settings.ts';
import { findBuiltConfigs } from './config/built-config.ts';
import { type ConfigSource, readConfig } from './config/config-file.ts';
import type { WorkerConfig } from './config/worker-config.ts';

export interface ProjectSource extends ConfigSource {
  /** Further Workers that run beside the first, each given by a path like the first one. */
  readonly workers?: readonly string[] | undefined;
  /** The value of `process.env.NODE_ENV` in the code; `development` by default. */
  readonly mode?: 'development' | 'production' | undefined;
}

export interface BuiltProject {
  readonly config: WorkerConfig;
  readonly modules: WorkerModules;
  readonly warnings: readonly string[];
}

/** Builds once. The first one answers requests. */
export async function buildProjects(source: ProjectSource): Promise<readonly BuiltProject[]> {
  await using builder = new ProjectBuilder(source);
  return await builder.build(new Set());
}

/** Builds the modules of a Worker whose configuration is known. */
export async function buildConfigured(config: WorkerConfig): Promise<BuiltProject> {
  await using builder = new ProjectBuilder({ path: config.main });
  return await builder.buildConfigured(config.main, config, new Set());
}

/** Builds repeatedly, reading only changed files. */
export class ProjectBuilder implements AsyncDisposable {
  readonly #source: ProjectSource;
  /** By the path of the project. */
  readonly #bundlers = new Map<string, Bundler>();
  readonly #commands = new Map<string, CommandRunner>();

  constructor(source: ProjectSource) {
    this.#source = source;
  }

  /** `files` collects the paths to watch, even if this fails. */
  async build(files: Set<string>): Promise<readonly BuiltProject[]> {
    const { path, workers = [], environment } = this.#source;
    const auxiliary = findBuiltConfigs(resolve(path))?.auxiliary ?? [];
    return await Promise.all(
      [path, ...workers, ...auxiliary].map((each) => this.#build({ path: each, environment }, files)),
    );
  }

  async #runCommand(path: string, command: BuildCommand, files: Set<string>): Promise<void> {
    let runner = this.#commands.get(path);
    if (runner === undefined) this.#commands.set(path, (runner = new CommandRunner()));
    await runner.run(command, files);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#bundlers.values()].map((bundler) => bundler[Symbol.asyncDispose]()));
    this.#bundlers.clear();
  }

  async #build(source: ConfigSource, files: Set<string>): Promise<BuiltProject> {
    return await this.buildConfigured(source.path, readConfig(source), files);
  }

  /** Builds the project of a configuration; `path` identifies it. */
  async buildConfigured(path: string, config: WorkerConfig, files: Set<string>): Promise<BuiltProject> {
    const own = new Set<string>();
    try {
      return stampVersion(await this.#buildConfigured(path, config, own), own);
    } finally {
      for (const file of own) files.add(file);
    }
  }

  async #buildConfigured(path: string, config: WorkerConfig, files: Set<string>): Promise<BuiltProject> {
    const { directory, main, build: settings, compatibility } = config;
    for (const file of [...config.watched, ...(config.file === undefined ? [] : [config.file])])
      files.add(file);
    files.add(main);
    if (settings.command !== undefined) await this.#runCommand(path, settings.command, files);
    if (main !== noWorker && !existsSync(main)) throw createMissingMain(main);
    const bindings = listBindings(config);
    if (!settings.bundles) {
      const modules = await readUnbundled({ main, settings, bindings }, files);
      return { config, modules, warnings: [] };
    }
    let bundler = this.#bundlers.get(path);
    if (bundler === undefined) this.#bundlers.set(path, (bundler = new Bundler()));
    const { node } = compatibility;
    const { mode = 'development' } = this.#source;
    const input = { directory, main, settings, node, mode, bindings };
    const bundle = await bundler.bundle(input, files);
    // It belongs to this program: it does not change.
    files.delete(noWorker);
    return { config, ...bundle };
  }
}

/** The same code has the same version, with the time of its newest file. */
function stampVersion({ config, modules, ...rest }: BuiltProject, files: ReadonlySet<string>): BuiltProject {
  const { versionBinding, vars } = config;
  if (versionBinding === undefined) return { config, modules, ...rest };
  const times = [...files].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const version = {
    id: toUuid(createHash('sha256').update(serialize(modules)).digest()),
    tag: '',
    timestamp: new Date(Math.max(0, ...times)).toISOString(),
  };
  return { config: { ...config, vars: { ...vars, [versionBinding]: version } }, modules, ...rest };
}

/** Of the UUID version that RFC 9562 leaves to applications. */
function toUuid(hash: Buffer): string {
  const bytes = hash.subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The names of the properties of `env`. */
function listBindings({ vars, absent, services, assets, declared, bindings }: WorkerConfig): string[] {
  const { queueConsumers: _, ...behind } = declared;
  const named = [...services, ...(bindings === 'exported' ? [] : bindings), ...Object.values(behind).flat()];
  return [
    ...Object.keys(vars),
    ...absent.keys(),
    ...named.map(({ name }) => name),
    ...(assets?.binding === undefined ? [] : [assets.binding]),
  ];
}
