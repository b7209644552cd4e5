/**
 * The code of a version, as it is in its folder: the built modules, including packages, with the configuration, and a
 * copy of the static files. The project is not read again, so a version never changes.
 */
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { AssetFiles, type BuiltProject, buildProjects } from '#workers';
import { builtFile, type Project } from './version-store.ts';

export interface BuiltVersion {
  readonly projects: readonly BuiltProject[];
  /** The digest of everything that runs: equal versions have the same. */
  readonly digest: string;
}

/** Builds a project into a folder. */
export async function buildVersion(
  { path, environment, workers }: Project,
  folder: string,
): Promise<BuiltVersion> {
  const built = await buildProjects({ path, environment, workers, mode: 'production' });
  const hash = createHash('sha256').update(serialize(built));
  const projects = built.map((project, index) => keepAssets(project, join(folder, `assets-${index}`), hash));
  // It may contain secrets.
  writeFileSync(join(folder, builtFile), serialize(projects), { mode: 0o600 });
  return { projects, digest: hash.digest('hex') };
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
