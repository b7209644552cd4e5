/**
 * The server and the credentials of a command: from its options, a ready file, or the variables that tools for
 * Cloudflare read. Options override the ready file, which overrides the environment.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  createCredentialHeaders,
  type Credentials,
  type Environment,
  isServerUrl,
  readCredentialVariables,
  readUrlVariable,
} from '#client';
import { readReady } from '#server';
import { type Arguments, CommandError, type Option, UsageError } from '../command.ts';

/** The options of every command that calls a server. */
export const connectionOptions = {
  api: { value: 'URL', help: 'base URL of the API, ending in /client/v4' },
  token: { value: 'TOKEN', help: 'token of the API' },
  'ready-file': { value: 'FILE', help: 'the file that gatehouse serve --ready-file wrote' },
  'ca-file': { value: 'FILE', help: 'certificate to trust, for HTTPS' },
} as const satisfies Readonly<Record<string, Option>>;

/** For the `details` of such commands. */
export const connectionHelp = `Without --api and --ready-file, the server comes from CLOUDFLARE_API_BASE_URL, CLOUDFLARE_BASE_URL or CF_API_URL, and the credentials from CLOUDFLARE_API_TOKEN (or CF_API_TOKEN), or CLOUDFLARE_EMAIL with CLOUDFLARE_API_KEY
(or CF_API_EMAIL with CF_API_KEY).`;

/**
 * The options that select the server of a command, repeated in another command that the user can paste; never a token.
 */
export function repeatConnection({ values }: Arguments): string {
  return (['api', 'ready-file', 'ca-file'] as const)
    .filter((name) => values[name] !== undefined)
    .map((name) => ` --${name} ${quoteForShell(values[name]!)}`)
    .join('');
}

export function quoteForShell(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export interface Connection {
  /** Ends in `/client/v4`, without a trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust, in PEM. */
  readonly ca?: string;
}

export function readConnection(
  { values }: Arguments,
  command: string,
  environment: Environment = process.env,
): Connection {
  const { api, token, 'ready-file': file, 'ca-file': caFile } = values;
  const ready = readReadyOption(file);
  const variable = readUrlVariable(environment);
  const url = api ?? ready.api ?? variable?.url;
  if (url === undefined)
    throw new UsageError(
      `gatehouse ${command} needs --ready-file, --api or CLOUDFLARE_BASE_URL, which eval "$(gatehouse env --for curl --ready-file FILE)" sets`,
    );
  checkUrl(url, api !== undefined ? '--api' : file !== undefined ? '--ready-file' : variable!.name);
  // Another server has other credentials than that of the ready file.
  const stored = api === undefined ? ready : {};
  const trusted = caFile ?? (url.startsWith('https:') ? stored.ca_file : undefined);
  return {
    url: url.replace(/\/+$/, ''),
    headers: createHeaders({ ...stored, ...(token === undefined ? {} : { token }) }, environment, command),
    ...(trusted === undefined ? {} : { ca: readFileSync(resolve(trusted), 'utf8') }),
  };
}

/** The file that the option `--ready-file` names. */
export function readReadyOption(file: string | undefined): NonNullable<ReturnType<typeof readReady>> {
  if (file === undefined) return {};
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`there is no ready file ${file}: is the server running?`);
  try {
    const ready = readReady(path);
    if (ready !== undefined) return ready;
  } catch (error) {
    throw new CommandError(`could not read the ready file ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  throw new CommandError(`${file} is not a file that gatehouse serve --ready-file wrote: it is not JSON`);
}

function checkUrl(url: string, from: string): void {
  if (isServerUrl(url)) return;
  throw new UsageError(`${from} must be a URL such as http://127.0.0.1:8787/client/v4: ${url}`);
}

/** Explicit credentials override those of the environment. */
function createHeaders(given: Credentials, environment: Environment, command: string): Connection['headers'] {
  const headers =
    createCredentialHeaders(given) ?? createCredentialHeaders(readCredentialVariables(environment));
  if (headers !== undefined) return headers;
  throw new UsageError(
    `gatehouse ${command} needs credentials: --token, CLOUDFLARE_API_TOKEN, or CLOUDFLARE_EMAIL with CLOUDFLARE_API_KEY`,
  );
}
