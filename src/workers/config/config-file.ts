/** Finds and reads what `gatehouse dev` was pointed at: a configuration, a directory that holds one, or a bare module. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { noBindings } from '#bindings';
import { parse as parseToml, TomlError } from 'smol-toml';
import { bareCompatibility } from './compatibility.ts';
import { ConfigError } from './config-error.ts';
import { interpretConfig, type WorkerConfig } from './worker-config.ts';
import { parseJsonc } from './jsonc.ts';
import { configBytesMax } from '../limits.ts';

const configNames = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];
const moduleExtensions = new Set(['.ts', '.mts', '.js', '.mjs', '.tsx', '.jsx']);

export interface ConfigSource {
  /** A configuration file, a module, or a directory with a configuration in it. */
  readonly path: string;
  /** The environment to take from the configuration's `env`. */
  readonly environment?: string | undefined;
}

export function readConfig({ path, environment }: ConfigSource): WorkerConfig {
  const file = locate(resolve(path));
  if (moduleExtensions.has(extname(file))) {
    if (environment !== undefined) {
      throw new ConfigError(`${path}: a bare module has no environments: --env needs a configuration file`);
    }
    return bareModule(file);
  }
  const directory = dirname(file);
  const shown = basename(file);
  const config = interpretConfig(parseFile(file, shown), { file: shown, directory, environment });
  return { ...config, file, vars: { ...config.vars, ...secretVars(directory, environment) } };
}

function locate(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new ConfigError(`there is no such file or directory: ${path}`);
  if (!stats.isDirectory()) return path;
  const found = configNames.map((name) => join(path, name)).find((file) => existsSync(file));
  if (found === undefined) {
    throw new ConfigError(
      `no configuration in ${path}: looked for ${configNames.join(', ')}; a module can be named directly`,
    );
  }
  return found;
}

function bareModule(file: string): WorkerConfig {
  const vars = secretVars(dirname(file), undefined);
  return {
    file: undefined,
    directory: dirname(file),
    main: file,
    bindings: 'exported',
    classes: new Map(),
    compatibility: bareCompatibility,
    vars,
    declared: noBindings,
    absent: new Map(),
    warnings: [],
  };
}

function parseFile(file: string, shown: string): unknown {
  const { size } = statSync(file);
  if (size > configBytesMax) throw new ConfigError(`${file} is too large for a configuration: ${size} bytes`);
  const text = readFileSync(file, 'utf8');
  const extension = extname(file);
  if (extension === '.json' || extension === '.jsonc') return parseJsonc(text, shown);
  if (extension !== '.toml') {
    throw new ConfigError(
      `${file} is neither a configuration (.jsonc, .json, .toml) nor a module (.ts, .js, .mjs)`,
    );
  }
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message.split('\n', 1)[0]!.replace('Invalid TOML document: ', '');
    throw new ConfigError(`${shown}:${error.line}:${error.column}: ${problem}`, { cause: error });
  }
}

/** Secrets for development stand beside the configuration, in a file that is not committed. */
function secretVars(directory: string, environment: string | undefined): NodeJS.Dict<string> {
  const names = environment === undefined ? ['.dev.vars'] : [`.dev.vars.${environment}`, '.dev.vars'];
  const file = names.map((name) => join(directory, name)).find((candidate) => existsSync(candidate));
  return file === undefined ? {} : parseEnv(readFileSync(file, 'utf8'));
}
