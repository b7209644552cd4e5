import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Permission } from '#contract';
import { covers, PolicyGrants } from './grants.ts';
import type { Policy } from './policy.ts';

const accountId = 'a'.repeat(32);
const [zone1, zone2, stranger] = ['1'.repeat(32), '2'.repeat(32), 'f'.repeat(32)];
const zones = 'com.cloudflare.api.account.zone';
const accounts = 'com.cloudflare.api.account';

const permissions: readonly Permission[] = [
  'firewallServicesRead',
  'firewallServicesWrite',
  'zoneRead',
  'analyticsRead',
  'accountRead',
];

const resources = fc.oneof(
  fc.constantFrom(`${zones}.*`, `${zones}.${zone1}`, `${zones}.${zone2}`, `${accounts}.${accountId}`),
  fc.constant(`${accounts}.*`),
);

const policies: fc.Arbitrary<Policy[]> = fc.array(
  fc.record({
    id: fc.constant('policy'),
    effect: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
    permissions: fc.uniqueArray(fc.constantFrom(...permissions), { minLength: 1, maxLength: 3 }),
    resources: fc.oneof(
      fc
        .uniqueArray(resources, { minLength: 1, maxLength: 2 })
        .map((names) => Object.fromEntries(names.map((name) => [name, '*' as const]))),
      fc
        .tuple(fc.constantFrom('*', accountId, stranger), fc.constantFrom('*', zone1, zone2))
        .map(([account, zone]) => ({ [`${accounts}.${account}`]: { [`${zones}.${zone}`]: '*' as const } })),
    ),
  }),
  { maxLength: 4 },
);

/** Every combination of permissions that an operation can require: one permission, or reading and writing. */
const operations: readonly (readonly Permission[])[] = [
  ['firewallServicesRead', 'firewallServicesWrite'],
  ['firewallServicesWrite'],
  ['zoneRead'],
  ['analyticsRead'],
  ['accountRead'],
];

function mayDo(grants: PolicyGrants, needed: readonly Permission[], id: string): boolean {
  return needed.some((permission) => grants.allows(permission, id));
}

test('covers is true only of policies that allow nothing more than the grants do', () => {
  let covered = 0;
  fc.assert(
    fc.property(policies, policies, (ofMaker, ofMade) => {
      const maker = new PolicyGrants(ofMaker, accountId);
      const made = new PolicyGrants(ofMade, accountId);
      if (!covers(maker, ofMade, accountId)) return;
      covered++;
      for (const needed of operations) {
        for (const id of [zone1, zone2, stranger, accountId]) {
          ok(!mayDo(made, needed, id) || mayDo(maker, needed, id), `${needed.join(' or ')} on ${id}`);
        }
      }
    }),
    { numRuns: 3000, seed: 4 },
  );
  ok(covered > 100);
});

test('covers is true of the grants themselves, as long as nothing is denied', () => {
  fc.assert(
    fc.property(policies, (own) => {
      const allowed = own.filter(({ effect }) => effect === 'allow');
      equal(covers(new PolicyGrants(allowed, accountId), allowed, accountId), true);
    }),
    { numRuns: 300, seed: 4 },
  );
});

test('PolicyGrants.allowsEverywhere and allowsSomewhere agree with asking one by one', () => {
  fc.assert(
    fc.property(policies, (own) => {
      const grants = new PolicyGrants(own, accountId);
      for (const permission of permissions) {
        const here = [zone1, zone2, stranger, accountId].map((id) => grants.allows(permission, id));
        if (grants.allowsEverywhere(permission)) ok(here.every(Boolean));
        if (here.some(Boolean)) ok(grants.allowsSomewhere(permission));
        if (!grants.allowsSomewhere(permission)) ok(!here.some(Boolean));
      }
    }),
    { numRuns: 1000, seed: 4 },
  );
});
