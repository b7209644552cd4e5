/**
 * Variables in uncommitted files beside the configuration. `.dev.vars` hides the `.env` files; among those the more
 * specific one wins.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { configBytesMax } from '../limits.ts';
import { ConfigError } from './config-error.ts';

export interface Secrets {
  readonly vars: Readonly<Record<string, string>>;
  /** The files of the variables, existing or not. */
  readonly files: readonly string[];
}

export function readSecrets(directory: string, environment: string | undefined): Secrets {
  const inDirectory = (names: readonly string[]): string[] => names.map((name) => join(directory, name));
  const own = inDirectory(
    environment === undefined ? ['.dev.vars'] : [`.dev.vars.${environment}`, '.dev.vars'],
  );
  const general = inDirectory(listEnvFiles(environment));
  const devVars = own.find((file) => existsSync(file));
  const read = devVars === undefined ? general.filter((file) => existsSync(file)) : [devVars];
  return {
    files: [...own, ...general],
    vars: Object.assign({}, ...read.map(readVars)) as Record<string, string>,
  };
}

/** From the lowest to the highest precedence. */
function listEnvFiles(environment: string | undefined): string[] {
  const own = environment === undefined ? [] : [`.env.${environment}`, `.env.${environment}.local`];
  return ['.env', '.env.local', ...own];
}

function readVars(file: string): NodeJS.Dict<string> {
  const { size } = statSync(file);
  if (size > configBytesMax) throw new ConfigError(`${file} is too large for variables: ${size} bytes`);
  return parseEnv(readFileSync(file, 'utf8'));
}
