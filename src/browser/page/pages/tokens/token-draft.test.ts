import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { listSubjects, type PermissionGroup, type Token } from './token.ts';
import { readDraft, writePolicies, writeToken } from './token-draft.ts';

const zones = 'com.cloudflare.api.account.zone';
const groups = ['Filters Read', 'Filters Write', 'Zone Read'].map((name, index) => ({
  id: `g${index}`,
  name,
  scopes: [zones],
})) as readonly PermissionGroup[];
const subjects = listSubjects(groups);
const owners = { accountId: 'a', userId: 'u' };

const token: Token = {
  id: 't',
  name: 'deploy',
  status: 'active',
  issued_on: '2026-01-01T00:00:00Z',
  modified_on: '2026-01-01T00:00:00Z',
  expires_on: '2099-01-02T03:04:05Z',
  condition: { request_ip: { in: ['192.0.2.0/24'] } },
  policies: [
    {
      id: 'p',
      effect: 'allow',
      permission_groups: [
        { id: 'g0', name: 'Filters Read' },
        { id: 'g1', name: 'Filters Write' },
      ],
      resources: { [`${zones}.z`]: '*' },
    },
  ],
};

test('readDraft shows what a token may do, and writePolicies and writeToken send it back', () => {
  const { draft, isWhole } = readDraft(token, { owner: 'user', subjects, ...owners });
  equal(isWhole, true);
  deepEqual(
    [draft.levels, draft.zoneIds],
    [{ [`${zones}/Filters`]: 'write', [`${zones}/Zone`]: 'none' }, ['z']],
  );
  const policies = writePolicies(draft, subjects, owners);
  deepEqual(policies, [
    {
      effect: 'allow',
      permission_groups: [{ id: 'g0' }, { id: 'g1' }],
      resources: { [`${zones}.z`]: '*' },
    },
  ]);
  const { expires_on, condition } = writeToken(draft, policies, token);
  // To the second, although the form shows minutes.
  deepEqual([expires_on, condition], [token.expires_on, token.condition]);
});

test('readDraft says of policies that a form cannot show that it cannot', () => {
  const [policy] = token.policies;
  const odd = { ...token, policies: [{ ...policy!, effect: 'deny' as const }] };
  equal(readDraft(odd, { owner: 'user', subjects, ...owners }).isWhole, false);
});
