/** A token that may do less than the owner, made through the API of a running server. */
import { ok } from 'node:assert/strict';
import { permissionGroups } from '#contract';
import type { ReadyFacts } from './gatehouse.ts';

export interface LimitedTo {
  /** Names of permission groups. */
  readonly groups: readonly string[];
  /** `com.cloudflare.api.account.…`; the whole account by default. */
  readonly resource?: string;
}

export async function createLimitedToken(
  ready: Pick<ReadyFacts, 'api' | 'token' | 'account_id'>,
  { groups, resource = `com.cloudflare.api.account.${ready.account_id}` }: LimitedTo,
): Promise<string> {
  const known = Object.values(permissionGroups);
  const ids = groups.map((name) => ({ id: known.find((group) => group.name === name)!.id }));
  const policies = [{ effect: 'allow', resources: { [resource]: '*' }, permission_groups: ids }];
  const answer = await fetch(`${ready.api}/user/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'limited', policies }),
  });
  const written = await answer.text();
  ok(answer.ok, written);
  return (JSON.parse(written) as { readonly result: { readonly value: string } }).result.value;
}
