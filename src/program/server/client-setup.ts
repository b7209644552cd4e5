/**
 * The settings that make a client of Cloudflare's API call this server: the client's own variables, as shell commands.
 * Comments cover what variables cannot express.
 */
import type { Ready } from './ready/ready-file.ts';

export const clients = ['sdk', 'terraform-v4', 'terraform-v5', 'wrangler', 'curl'] as const;

export type Client = (typeof clients)[number];

/** Secrets may be missing, because they are shown only once. */
export type Reachable = Pick<Ready, 'api' | 'api_https' | 'ca_file' | 'token' | 'key'> & {
  readonly email?: string;
  readonly account_id?: string;
};

/** Thrown if a client cannot be served; the message says what is missing. */
class ClientSetupError extends Error {
  override readonly name = 'ClientSetupError';
  readonly code = 'CLIENT_SETUP';
}

export function writeClientSetup(client: Client, reachable: Reachable): string {
  return `${setups[client](reachable).join('\n')}\n`;
}

const setups: Readonly<Record<Client, (reachable: Reachable) => string[]>> = {
  sdk: (reachable) => [
    writeExport('CLOUDFLARE_BASE_URL', reachable.api),
    ...exportCredentials(reachable),
    ...exportTrust('NODE_EXTRA_CA_CERTS', reachable, reachable.api),
  ],

  // These providers add `https://` to the host name themselves.
  'terraform-v4': (reachable) => {
    const { host, pathname } = new URL(requireHttps(reachable));
    return [
      writeExport('CLOUDFLARE_API_HOSTNAME', host),
      writeExport('CLOUDFLARE_API_BASE_PATH', pathname),
      ...exportCredentials(reachable),
      ...exportTrust('SSL_CERT_FILE', reachable, 'https:'),
      '# Or in the configuration, with the credentials from the environment:',
      '#   provider "cloudflare" {',
      `#     api_hostname  = "${host}"`,
      `#     api_base_path = "${pathname}"`,
      '#   }',
    ];
  },

  'terraform-v5': (reachable) => [
    writeExport('CLOUDFLARE_BASE_URL', reachable.api),
    ...exportCredentials(reachable),
    ...exportTrust('SSL_CERT_FILE', reachable, reachable.api),
    '# Or in the configuration, with the credentials from the environment:',
    '#   provider "cloudflare" {',
    `#     base_url = "${reachable.api}"`,
    '#   }',
  ],

  wrangler: (reachable) => [
    writeExport('CLOUDFLARE_API_BASE_URL', reachable.api),
    ...exportCredentials(reachable),
    ...(reachable.account_id === undefined
      ? []
      : [writeExport('CLOUDFLARE_ACCOUNT_ID', reachable.account_id)]),
    ...exportTrust('NODE_EXTRA_CA_CERTS', reachable, reachable.api),
  ],

  curl: (reachable) => {
    const { api, token, email, key } = reachable;
    const variables =
      token === undefined ? [] : [writeExport('AUTHORIZATION', `Authorization: Bearer ${token}`)];
    const usesKey = token === undefined && key !== undefined && email !== undefined;
    const pair = usesKey
      ? [writeExport('AUTH_EMAIL', `X-Auth-Email: ${email}`), writeExport('AUTH_KEY', `X-Auth-Key: ${key}`)]
      : [];
    const headers = usesKey ? '-H "$AUTH_EMAIL" -H "$AUTH_KEY"' : '-H "$AUTHORIZATION"';
    return [
      writeExport('API', api),
      ...variables,
      ...pair,
      ...(token === undefined && !usesKey
        ? [writeMissing('AUTHORIZATION', "'Authorization: Bearer …'")]
        : []),
      ...exportTrust('CURL_CA_BUNDLE', reachable, api),
      // The variables that gatehouse's own commands read, so that they also work in a shell that is set up for curl.
      ...setups.sdk(reachable),
      `# curl ${headers} "$API/zones"`,
    ];
  },
};

/** A token if there is one; otherwise the email and key. Some clients refuse both at once. */
function exportCredentials({ token, email, key }: Reachable): string[] {
  if (token !== undefined) return [writeExport('CLOUDFLARE_API_TOKEN', token)];
  if (key !== undefined && email !== undefined) {
    return [writeExport('CLOUDFLARE_EMAIL', email), writeExport('CLOUDFLARE_API_KEY', key)];
  }
  return [writeMissing('CLOUDFLARE_API_TOKEN', '…')];
}

function writeMissing(name: string, example: string): string {
  return `# export ${name}=${example}   the token was shown only once, at the first start; gatehouse owner reset creates a new one`;
}

function exportTrust(variable: string, { ca_file }: Reachable, url: string): string[] {
  if (ca_file === undefined || !url.startsWith('https:')) return [];
  const isGo = variable === 'SSL_CERT_FILE';
  const note =
    '# On macOS and Windows, Go programs use only the trust store of the system: add the file there.';
  return [writeExport(variable, ca_file), ...(isGo ? [note] : [])];
}

function requireHttps({ api, api_https }: Reachable): string {
  if (api_https !== undefined) return api_https;
  if (api.startsWith('https:')) return api;
  throw new ClientSetupError(
    'versions 3 and 4 of the Terraform provider require HTTPS, which is off: start the server with --https-port 8443',
  );
}

function writeExport(name: string, value: string): string {
  return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
}
