/**
 * What to set so that a client of the original service calls this one: its own variables, as its makers named them, for a shell to
 * take over. Comments say what variables cannot.
 */
import type { Ready } from './ready-file.ts';

export const clients = ['sdk', 'terraform-v4', 'terraform-v5', 'wrangler', 'curl'] as const;

export type Client = (typeof clients)[number];

/** Secrets may be missing: they are told once. */
export type Reachable = Pick<Ready, 'api' | 'api_https' | 'ca_file' | 'token' | 'key'> & {
  readonly email?: string;
  readonly account_id?: string;
};

/** Thrown when a client cannot be served; the message says what is missing. */
class ClientSetupError extends Error {
  override readonly name = 'ClientSetupError';
  readonly code = 'CLIENT_SETUP';
}

export function clientSetup(client: Client, reachable: Reachable): string {
  return `${setups[client](reachable).join('\n')}\n`;
}

const setups: Readonly<Record<Client, (reachable: Reachable) => string[]>> = {
  sdk: (reachable) => [
    exported('CLOUDFLARE_BASE_URL', reachable.api),
    ...credentials(reachable),
    ...trustedBy('NODE_EXTRA_CA_CERTS', reachable, reachable.api),
  ],

  // These providers put `https://` before the host name themselves.
  'terraform-v4': (reachable) => {
    const { host, pathname } = new URL(httpsOf(reachable));
    return [
      exported('CLOUDFLARE_API_HOSTNAME', host),
      exported('CLOUDFLARE_API_BASE_PATH', pathname),
      ...credentials(reachable),
      ...trustedBy('SSL_CERT_FILE', reachable, 'https:'),
      '# Or in the configuration, with the credentials from the environment:',
      '#   provider "cloudflare" {',
      `#     api_hostname  = "${host}"`,
      `#     api_base_path = "${pathname}"`,
      '#   }',
    ];
  },

  'terraform-v5': (reachable) => [
    exported('CLOUDFLARE_BASE_URL', reachable.api),
    ...credentials(reachable),
    ...trustedBy('SSL_CERT_FILE', reachable, reachable.api),
    '# Or in the configuration, with the credentials from the environment:',
    '#   provider "cloudflare" {',
    `#     base_url = "${reachable.api}"`,
    '#   }',
  ],

  wrangler: (reachable) => [
    exported('CLOUDFLARE_API_BASE_URL', reachable.api),
    ...credentials(reachable),
    ...(reachable.account_id === undefined ? [] : [exported('CLOUDFLARE_ACCOUNT_ID', reachable.account_id)]),
    ...trustedBy('NODE_EXTRA_CA_CERTS', reachable, reachable.api),
  ],

  curl: (reachable) => {
    const { api, token, email, key } = reachable;
    const variables =
      token === undefined ? [] : [exported('AUTHORIZATION', `Authorization: Bearer ${token}`)];
    const usesKey = token === undefined && key !== undefined && email !== undefined;
    const pair = usesKey
      ? [exported('AUTH_EMAIL', `X-Auth-Email: ${email}`), exported('AUTH_KEY', `X-Auth-Key: ${key}`)]
      : [];
    const headers = usesKey ? '-H "$AUTH_EMAIL" -H "$AUTH_KEY"' : '-H "$AUTHORIZATION"';
    return [
      exported('API', api),
      ...variables,
      ...pair,
      ...(token === undefined && !usesKey ? [missing('AUTHORIZATION', "'Authorization: Bearer …'")] : []),
      ...trustedBy('CURL_CA_BUNDLE', reachable, api),
      `# curl ${headers} "$API/zones"`,
    ];
  },
};

/** A token where there is one; the other pair says the same, and some clients refuse to be told both. */
function credentials({ token, email, key }: Reachable): string[] {
  if (token !== undefined) return [exported('CLOUDFLARE_API_TOKEN', token)];
  if (key !== undefined && email !== undefined) {
    return [exported('CLOUDFLARE_EMAIL', email), exported('CLOUDFLARE_API_KEY', key)];
  }
  return [missing('CLOUDFLARE_API_TOKEN', '…')];
}

function missing(name: string, example: string): string {
  return `# export ${name}=${example}   the token was told at the first start, and is not kept`;
}

function trustedBy(variable: string, { ca_file }: Reachable, url: string): string[] {
  if (ca_file === undefined || !url.startsWith('https:')) return [];
  const isGo = variable === 'SSL_CERT_FILE';
  const note =
    '# On macOS and Windows, Go programs look into the trust store of the system only: add the file there.';
  return [exported(variable, ca_file), ...(isGo ? [note] : [])];
}

function httpsOf({ api, api_https }: Reachable): string {
  if (api_https !== undefined) return api_https;
  if (api.startsWith('https:')) return api;
  throw new ClientSetupError(
    'versions 3 and 4 of the Terraform provider insist on HTTPS, which is off: start the server with --https-port 8443',
  );
}

function exported(name: string, value: string): string {
  return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
}
