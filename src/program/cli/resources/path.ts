/** Fills the path of an operation with the arguments of a command: zones and lists by name or id. */
import type { Operation } from '#contract';
import type { ApiClient } from '../api/api-client.ts';
import { CommandError } from '../command.ts';

/** The arguments in the path; the account is looked up. */
export function listPathParameters({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'account_id');
}

/** `zone_id` as `zone`, `ruleset_version` as `version`. */
export function toArgument(parameter: string): string {
  return parameter
    .replace(/_id$/, '')
    .replace(/^ruleset_(?=phase|version)/, '')
    .replaceAll('_', '-');
}

export async function fillPath(
  api: ApiClient,
  { path }: Operation,
  positionals: readonly string[],
): Promise<string> {
  const left = [...positionals];
  let filled = '';
  let at = 0;
  for (const { 0: written, 1: name, index } of path.matchAll(/\{(\w+)\}/g)) {
    filled += path.slice(at, index);
    at = index + written.length;
    const id =
      name === 'account_id'
        ? await findAccount(api)
        : await findId(api, { name: name!, given: left.shift()!, parent: filled });
    filled += encodeURIComponent(id);
  }
  return filled + path.slice(at);
}

/** The account of the credentials. */
export async function findAccount(api: ApiClient): Promise<string> {
  const [account] = (await api.get('/accounts')).result;
  if (account !== undefined) return account.id;
  throw new CommandError(
    'the credentials give access to no account: use a token that has a permission on the account',
  );
}

interface Wanted {
  readonly name: string;
  readonly given: string;
  /** The path up to here: the list of such resources. */
  readonly parent: string;
}

async function findId(api: ApiClient, { name, given, parent }: Wanted): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(given)) return given;
  if (name === 'zone_id') return (await api.findZone(given)).id;
  if (name !== 'list_id' && name !== 'package_id') return given;
  const { result: things } = await api.ask<readonly { readonly id: string; readonly name: string }[]>(
    'GET',
    parent.replace(/\/$/, ''),
  );
  const found = things.find((each) => each.name.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found.id;
  const names = things.map((each) => each.name).join(', ');
  throw new CommandError(
    `there is no ${toArgument(name)} ${given}: ${names === '' ? 'there are none' : `there are ${names}`}`,
  );
}
