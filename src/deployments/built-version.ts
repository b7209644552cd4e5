/**
 * The code of a version, as its folder has it: the modules that were built, packages included, with the configuration, and
 * a copy of the static files. Nothing of the project is read again, so a version stays what it was.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { AssetFiles, type BuiltProject, buildProjects } from '#workers';
import { type Project, VersionStore } from './version-store.ts';

export interface BuiltVersion {
  readonly projects: readonly BuiltProject[];
  /** Of everything that runs: equal versions have equal ones. */
  readonly digest: string;
}

const fileName = 'built.bin';

/** Builds a project into a folder. */
export async function buildVersion(
  { path, environment, workers }: Project,
  folder: string,
): Promise<BuiltVersion> {
  const built = await buildProjects({ path, environment, workers, mode: 'production' });
  const hash = createHash('sha256').update(serialize(built));
  const projects = built.map((project, index) => keepAssets(project, join(folder, `assets-${index}`), hash));
  // It may contain secrets.
  writeFileSync(join(folder, fileName), serialize(projects), { mode: 0o600 });
  return { projects, digest: hash.digest('hex') };
}

export function readVersion(folder: string): readonly BuiltProject[] {
  return deserialize(readFileSync(join(folder, fileName))) as readonly BuiltProject[];
}

/** A Worker, and the stores that its configuration declares. */
export interface WorkerBindings {
  readonly worker: string;
  readonly declared: BuiltProject['config']['declared'];
}

/** Those of the version that ran last in a data directory; none if there is none. Nothing is made there. */
export function readDeclared(data: string): readonly WorkerBindings[] {
  if (!existsSync(join(data, 'versions'))) return [];
  const versions = new VersionStore(data);
  const { current } = versions;
  if (current === undefined) return [];
  return readVersion(versions.folderOf(current.number)).map(({ config: { name, declared } }) => ({
    worker: name,
    declared,
  }));
}

function keepAssets(project: BuiltProject, to: string, hash: Hash): BuiltProject {
  const { assets } = project.config;
  if (assets === undefined) return project;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  new AssetFiles(assets.directory).copyTo(to);
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    hash.update(`${file.slice(to.length)}\0`).update(readFileSync(file));
  }
  return { ...project, config: { ...project.config, assets: { ...assets, directory: to } } };
}
