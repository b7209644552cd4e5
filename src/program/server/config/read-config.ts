/**
 * Reads the settings: defaults, then a file, then the environment, then flags, each overriding the one before. An
 * unknown setting, or an invalid value, is an error that names its place and the valid values.
 */
import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { isObject } from '#base';
import { didYouMean } from '#text';
import { parse as parseToml, TomlError } from 'smol-toml';
import type { Written } from './kinds.ts';
import {
  toFlag,
  toKey,
  type SettingName,
  settingNames,
  getSetting,
  type Settings,
  toVariable,
} from './settings.ts';

/** An error in the configuration, for the person who wrote it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export type Source =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag'; readonly flag: string };

export interface Config {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

export interface ConfigInput {
  /** Values on the command line by flag, without dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** The file named on the command line. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

interface GivenSetting {
  readonly written: Written;
  readonly source: Source;
  readonly directory: string;
}

const defaultFile = 'gatehouse.toml';
/** Names the configuration file; it is not a setting, because a file cannot name itself. */
const fileVariable = 'GATEHOUSE_CONFIG';
const fileBytesMax = 1024 * 1024;

export function readConfig(input: ConfigInput): Config {
  const given = new Map<SettingName, GivenSetting>([
    ...readFileSettings(input),
    ...readEnvironmentSettings(input),
    ...readFlagSettings(input),
  ]);
  const values: Record<string, unknown> = {};
  const sources: Record<string, Source> = {};
  for (const name of settingNames) {
    const one = given.get(name);
    values[name] = one === undefined ? readFallback(name, input.directory) : readValue(name, one);
    sources[name] = one?.source ?? { kind: 'default' };
  }
  const config = { settings: values, sources } as unknown as Config;
  checkTogether(config);
  return config;
}

/** The place of a setting: `port in gatehouse.toml`, `GATEHOUSE_PORT`, `--port`. */
export function describePlace(name: SettingName, source: Source): string {
  if (source.kind === 'file') return `${toKey(name)} in ${source.file}`;
  if (source.kind === 'environment') return source.variable;
  return source.kind === 'flag' ? source.flag : toKey(name);
}

/** Defaults are written as in a file in the working directory. */
function readFallback(name: SettingName, directory: string): unknown {
  const { kind, fallback } = getSetting(name);
  return typeof fallback === 'string' ? kind.read(fallback, { directory }) : fallback;
}

function readValue(name: SettingName, { written, source, directory }: GivenSetting): unknown {
  const { kind, isSecret } = getSetting(name);
  const value = kind.read(written, { directory });
  if (value !== undefined) return value;
  const shown = isSecret ? 'the given value is secret and not shown' : JSON.stringify(written).slice(0, 200);
  throw new ConfigurationError(`${describePlace(name, source)} must be ${kind.rule}: ${shown}`);
}

function* readFileSettings(input: ConfigInput): Iterable<[SettingName, GivenSetting]> {
  const named = input.file ?? input.environment[fileVariable];
  const file = resolve(input.directory, named ?? defaultFile);
  const text = readText(file, { mustExist: named !== undefined });
  if (text === undefined) return;
  const keys = new Map(settingNames.map((name) => [toKey(name), name]));
  const directory = dirname(file);
  for (const [key, written] of Object.entries(parseFile(file, text))) {
    const name = keys.get(key);
    if (name === undefined) {
      throw new ConfigurationError(`${file} has an unknown key ${key}${didYouMean(key, keys.keys())}`);
    }
    yield [name, { written: written as Written, source: { kind: 'file', file }, directory }];
  }
}

function readText(file: string, { mustExist }: { readonly mustExist: boolean }): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length <= fileBytesMax) return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw new ConfigurationError(`cannot read the configuration file: ${message}`, { cause: error });
  }
  throw new ConfigurationError(
    `${file} is not a configuration file: it has more than ${fileBytesMax} characters`,
  );
}

function parseFile(file: string, text: string): object {
  try {
    const parsed: unknown = extname(file) === '.json' ? JSON.parse(text) : parseToml(text);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    // The text around the location could contain a secret: only the location and the problem are shown.
    const message =
      error instanceof TomlError
        ? `line ${error.line}, column ${error.column}: ${error.message.split('\n')[0]}`
        : 'it is not JSON';
    throw new ConfigurationError(`${file} cannot be read: ${message}`);
  }
  throw new ConfigurationError(`${file} must contain an object of settings`);
}

function* readEnvironmentSettings({
  environment,
  directory,
}: ConfigInput): Iterable<[SettingName, GivenSetting]> {
  const variables = new Map(settingNames.map((name) => [toVariable(name), name]));
  for (const [variable, written] of Object.entries(environment)) {
    if (!variable.startsWith('GATEHOUSE_') || variable === fileVariable || written === undefined) continue;
    const name = variables.get(variable);
    if (name === undefined) {
      const hint = didYouMean(variable, variables.keys());
      throw new ConfigurationError(`the environment has an unknown variable ${variable}${hint}`);
    }
    yield [name, { written, source: { kind: 'environment', variable }, directory }];
  }
}

function* readFlagSettings({ flags, directory }: ConfigInput): Iterable<[SettingName, GivenSetting]> {
  for (const name of settingNames) {
    const written = flags[toFlag(name)];
    if (written === undefined) continue;
    yield [name, { written, source: { kind: 'flag', flag: `--${toFlag(name)}` }, directory }];
  }
}

/** Checks settings that depend on each other. */
function checkTogether({ settings, sources }: Config): void {
  const { tlsCert, tlsKey, httpsPort, edgeCertificates, edgeHttpsPort } = settings;
  const needs = (name: SettingName, what: string): ConfigurationError =>
    new ConfigurationError(`${describePlace(name, sources[name])} needs ${what}`);
  if (tlsCert !== undefined && tlsKey === undefined) throw needs('tlsCert', 'tls_key beside it');
  if (tlsKey !== undefined && tlsCert === undefined) throw needs('tlsKey', 'tls_cert beside it');
  if (tlsCert !== undefined && httpsPort === 'off')
    throw needs('tlsCert', 'https_port: HTTPS is off without it');
  checkCluster({ settings, sources });
  if (edgeCertificates !== undefined && edgeHttpsPort === 'off')
    throw needs('edgeCertificates', 'edge_https_port: HTTPS is off at the edge without it');
}

/** Objects of a cluster are in the process of the API, and the data directory contains none of them. */
function checkCluster({ settings, sources }: Config): void {
  const { cluster, clusterAdvertise, clusterFile, clusterListen, objectHosts, dataBytes } = settings;
  const refuse = (name: SettingName, reason: string): ConfigurationError =>
    new ConfigurationError(`${describePlace(name, sources[name])} ${reason}`);
  if (cluster === undefined && clusterFile === undefined) return;
  if (cluster !== undefined && clusterFile !== undefined)
    throw refuse(
      'clusterFile',
      `and ${describePlace('cluster', sources.cluster)} set the same thing: set only one of them`,
    );
  if (clusterAdvertise === undefined && /^(?:0\.0\.0\.0|\[::\]):/.test(clusterListen))
    throw refuse(
      'clusterListen',
      'is every address of this machine: set cluster_advertise to the one at which other hosts reach it',
    );
  if (objectHosts !== undefined && objectHosts !== 1)
    throw refuse('objectHosts', 'must be 1 with a cluster: start gatehouse serve several times instead');
  if (dataBytes !== 0)
    throw refuse('dataBytes', 'cannot be used with a cluster: limit the size of the database there');
}
