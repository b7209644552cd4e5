/** The content of the ready file for a program that has started. */
import { apiPath, type ApiRequest } from '#contract';
import type { Control } from '#control';
import type { Ready, Secrets } from './ready-file.ts';

export type Addresses = Pick<Ready, 'api' | 'api_https' | 'admin' | 'edge' | 'edge_https' | 'ca_file'>;

export function createReady(
  control: Control,
  { api, api_https, ...others }: Addresses,
  secrets: Secrets,
): Ready {
  const { account, users, zones } = control.directory;
  const { token, key, email = users[0]!.email } = secrets;
  return {
    api: `${api}${apiPath}`,
    ...(api_https === undefined ? {} : { api_https: `${api_https}${apiPath}` }),
    ...others,
    email,
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { key }),
    account_id: account!.id,
    zones: Array.from(zones.values(), ({ id, name, plan }) => ({ id, name, plan })),
  };
}

/** The secrets that are still valid. */
export async function filterValid(control: Control, { email, token, key }: Secrets): Promise<Secrets> {
  const isToken =
    token !== undefined &&
    (await isAccepted(control, '/user/tokens/verify', { authorization: `Bearer ${token}` }));
  const pair =
    email !== undefined && key !== undefined ? { 'x-auth-email': email, 'x-auth-key': key } : undefined;
  const isKey = pair !== undefined && (await isAccepted(control, '/user', pair));
  return { ...(isToken ? { token } : {}), ...(isKey ? { email: email!, key: key! } : {}) };
}

async function isAccepted(control: Control, path: string, headers: ApiRequest['headers']): Promise<boolean> {
  const target = `${apiPath}${path}`;
  const readBody = async (): Promise<Uint8Array> => new Uint8Array();
  const { status } = await control.answer({ method: 'GET', target, headers, address: '127.0.0.1', readBody });
  return status === 200;
}
