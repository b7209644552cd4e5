/**
 * The server that the environment variables name, and the credentials: the variables that tools for Cloudflare read.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  readonly token?: string;
  readonly email?: string;
  readonly key?: string;
}

const urlVariables = ['CLOUDFLARE_API_BASE_URL', 'CLOUDFLARE_BASE_URL', 'CF_API_URL'];

/** The first of these variables that is set. */
export function readUrlVariable(
  environment: Environment,
): { readonly name: string; readonly url: string } | undefined {
  const name = urlVariables.find((each) => isSet(environment[each]));
  return name === undefined ? undefined : { name, url: environment[name]! };
}

export function readCredentialVariables(environment: Environment): Credentials {
  return {
    ...pick('token', environment['CLOUDFLARE_API_TOKEN'] ?? environment['CF_API_TOKEN']),
    ...pick('email', environment['CLOUDFLARE_EMAIL'] ?? environment['CF_API_EMAIL']),
    ...pick('key', environment['CLOUDFLARE_API_KEY'] ?? environment['CF_API_KEY']),
  };
}

/** A server rejects a request with both kinds of credentials, so a token takes precedence over a key. */
export function createCredentialHeaders({
  token,
  email,
  key,
}: Credentials): Readonly<Record<string, string>> | undefined {
  if (isSet(token)) return { authorization: `Bearer ${token}` };
  if (isSet(email) && isSet(key)) return { 'x-auth-email': email, 'x-auth-key': key };
  return undefined;
}

export function isServerUrl(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function pick(name: keyof Credentials, text: string | undefined): Credentials {
  return isSet(text) ? { [name]: text } : {};
}
