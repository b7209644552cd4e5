/**
 * The configuration that a build has written: `.wrangler/deploy/config.json` in a project names it, and it replaces the
 * project's own, as in Wrangler. Vite, React Router, TanStack and others write one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { parseJsonc } from './jsonc.ts';
import { Section } from './section.ts';

export interface BuiltConfigs {
  /** The file that names them. */
  readonly file: string;
  /** The configuration of the project. */
  readonly config: string;
  /** The configurations of Workers that were built with it, and run beside it. */
  readonly auxiliary: readonly string[];
}

const redirectName = join('.wrangler', 'deploy', 'config.json');

/** Undefined if this directory has no build. */
export function findBuiltConfigs(directory: string): BuiltConfigs | undefined {
  const file = join(directory, redirectName);
  if (!existsSync(file)) return undefined;
  const redirect = new Section(parseJsonc(readFileSync(file, 'utf8'), redirectName), redirectName);
  const find = (section: Section): string => {
    const config = resolve(dirname(file), section.requiredString('configPath'));
    if (existsSync(config)) return config;
    throw new ConfigError(
      `${redirectName} names ${config}, which does not exist: build the project again, or remove ${file}`,
    );
  };
  return { file, config: find(redirect), auxiliary: redirect.sections('auxiliaryWorkers').map(find) };
}
