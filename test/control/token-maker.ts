/** Tokens for tests, made through the API by the owner of the account. */
import { equal } from 'node:assert/strict';
import { permissionGroups } from '#contract';
import type { Envelope, TestControl } from './harness.ts';

export interface Wanted {
  /** Names of permission groups. */
  readonly groups: readonly string[];
  /** `zone.*`, `zone.<id>`, `account.<id>` or `user.<id>`; by default all resources. */
  readonly on?: readonly string[];
  readonly deny?: { readonly groups: readonly string[]; readonly on: readonly string[] };
  /** Further fields of the body. */
  readonly with?: object;
}

export interface MadeToken {
  readonly id: string;
  readonly value: string;
  readonly headers: { readonly authorization: string };
}

/** `zone.*` → `com.cloudflare.api.account.zone.*` */
export function resource(name: string): string {
  return `com.cloudflare.api.${name.startsWith('zone') ? `account.${name}` : name}`;
}

export function groupId(name: string): string {
  return Object.values(permissionGroups).find((group) => group.name === name)!.id;
}

export function policy(effect: 'allow' | 'deny', groups: readonly string[], on: readonly string[]): object {
  return {
    effect,
    permission_groups: groups.map((name) => ({ id: groupId(name) })),
    resources: Object.fromEntries(on.map((name) => [resource(name), '*'])),
  };
}

export function everything(control: TestControl): string[] {
  const { users } = control.control.directory;
  return ['zone.*', `account.${control.control.directory.accountId}`, `user.${users[0]!.id}`];
}

export function tokenBody(control: TestControl, wanted: Wanted): object {
  const { groups, on = everything(control), deny } = wanted;
  return {
    name: 'made for a test',
    policies: [
      policy('allow', groups, on),
      ...(deny === undefined ? [] : [policy('deny', deny.groups, deny.on)]),
    ],
    ...wanted.with,
  };
}

export async function makeToken(control: TestControl, wanted: Wanted): Promise<MadeToken> {
  const made: Envelope = await control.call('POST /user/tokens', { body: tokenBody(control, wanted) });
  equal(made.status, 200, JSON.stringify(made.errors));
  const { id, value } = made.result as { id: string; value: string };
  return { id, value, headers: { authorization: `Bearer ${value}` } };
}
