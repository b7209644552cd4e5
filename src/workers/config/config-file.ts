/** Finds and reads what `gatehouse dev` was pointed at: a configuration, a directory that holds one, or a bare module. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { noBindings } from '#bindings';
import { parse as parseToml, TomlError } from 'smol-toml';
import { defaultBuildSettings } from './build/settings.ts';
import { bareCompatibility } from './compatibility.ts';
import { ConfigError } from './config-error.ts';
import { interpretConfig, type WorkerConfig } from './worker-config.ts';
import { parseJsonc } from './jsonc.ts';
import { readSecrets } from './secrets.ts';
import { configBytesMax } from '../limits.ts';

const configNames = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];
const moduleExtensions = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx', '.jsx']);

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
  const { vars, files } = readSecrets(directory, environment);
  const missing = config.requiredSecrets.filter((name) => !Object.hasOwn(vars, name));
  return {
    ...config,
    file,
    vars: { ...config.vars, ...chooseSecrets(config, vars) },
    watched: files,
    warnings: [
      ...config.warnings,
      ...missing.map(
        (name) => `${shown}: the secret ${name} is required, and neither .dev.vars nor .env has it`,
      ),
    ],
  };
}

/** What is there and not asked for would be a surprise in production. */
function chooseSecrets(
  { requiredSecrets, vars }: WorkerConfig,
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (requiredSecrets.length === 0) return secrets;
  const isWanted = (name: string): boolean => requiredSecrets.includes(name) || Object.hasOwn(vars, name);
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => isWanted(name)));
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
  const { vars, files } = readSecrets(dirname(file), undefined);
  return {
    file: undefined,
    directory: dirname(file),
    name: basename(file, extname(file)),
    main: file,
    build: defaultBuildSettings(file),
    bindings: 'exported',
    classes: new Map(),
    compatibility: bareCompatibility,
    vars,
    requiredSecrets: [],
    services: [],
    assets: undefined,
    crons: [],
    watched: files,
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
