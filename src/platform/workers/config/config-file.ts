/**
 * Finds and reads the argument of `gatehouse dev`: a configuration, a directory that contains one, or a bare module.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { noBindings } from '#bindings';
import { parse as parseToml, TomlError } from 'smol-toml';
import { defaultBuildSettings } from './build/settings.ts';
import { type BuiltConfigs, findBuiltConfigs } from './built-config.ts';
import { bareCompatibility } from './compatibility.ts';
import { ConfigError } from './config-error.ts';
import { interpretConfig, type WorkerConfig } from './worker-config.ts';
import { parseJsonc } from './jsonc.ts';
import { readSecrets } from './secrets.ts';
import { configBytesMax } from '../limits.ts';

const configNames = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];
const moduleExtensions = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx', '.jsx']);

export interface ConfigSource {
  /** A configuration file, a module, or a directory with a configuration. */
  readonly path: string;
  /** The environment to take from the configuration's `env`. */
  readonly environment?: string | undefined;
  /** Keys that are merged into the configuration: lists are appended, tables are merged, anything else is replaced. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The directory of the configuration for a file: its own, or the nearest one above that has one. */
export function findProject(file: string): string | undefined {
  for (let directory = dirname(resolve(file)); ; directory = dirname(directory)) {
    if (configNames.some((name) => existsSync(join(directory, name)))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

export function readConfig({ path, environment, extra }: ConfigSource): WorkerConfig {
  const place = resolve(path);
  const built = findBuiltConfigs(place);
  if (built === undefined) return readFrom(locate(place), { path, environment, extra });
  if (environment !== undefined)
    throw new ConfigError(
      `${built.file} names the configuration of a build, which is for one environment: choose it when you build (CLOUDFLARE_ENV=${environment}), and leave out --env`,
    );
  return readBuilt(built, place);
}

/** A configuration that was not read from a file; `shown` is its name in messages. */
export function readInlineConfig(
  raw: Readonly<Record<string, unknown>>,
  { shown, directory }: { readonly shown: string; readonly directory: string },
): WorkerConfig {
  return { ...interpretConfig(raw, { file: shown, directory, environment: undefined }), file: undefined };
}

/** State is stored in the project: a build may delete its own folder. */
function readBuilt({ config, file }: BuiltConfigs, home: string): WorkerConfig {
  const read = readFrom(config, { path: config });
  const secrets = readSecrets(home, undefined);
  return {
    ...read,
    home,
    vars: { ...read.vars, ...chooseSecrets(read, secrets.vars) },
    watched: [...read.watched, ...secrets.files, file],
  };
}

function readFrom(file: string, { path, environment, extra }: ConfigSource): WorkerConfig {
  if (moduleExtensions.has(extname(file))) {
    if (environment !== undefined) {
      throw new ConfigError(`${path}: a bare module has no environments: --env needs a configuration file`);
    }
    return bareModule(file);
  }
  const directory = dirname(file);
  const shown = basename(file);
  const config = interpretConfig(parseFile(file, shown), { file: shown, directory, environment, extra });
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

/** An unexpected extra secret would be a surprise in production. */
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
  if (!stats.isDirectory()) return (moduleExtensions.has(extname(path)) && findConfigOf(path)) || path;
  const found = findConfigIn(path);
  if (found === undefined) {
    throw new ConfigError(
      `no configuration in ${path}: looked for ${configNames.join(', ')}; a module can be named directly`,
    );
  }
  return found;
}

function findConfigIn(directory: string): string | undefined {
  return configNames.map((name) => join(directory, name)).find((file) => existsSync(file));
}

/** The configuration beside a module, or above it in its package, if its `main` is the module. */
function findConfigOf(module: string): string | undefined {
  for (let directory = dirname(module); ; directory = dirname(directory)) {
    const file = findConfigIn(directory);
    if (file !== undefined) {
      const { main } = Object(parseFile(file, basename(file))) as { readonly main?: unknown };
      return typeof main === 'string' && resolve(directory, main) === module ? file : undefined;
    }
    const isTop = existsSync(join(directory, 'package.json')) || dirname(directory) === directory;
    if (isTop) return undefined;
  }
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
