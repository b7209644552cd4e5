import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { listConcerns, orderByConcern, type SiteGlance } from './site-glance.ts';

type Protection = NonNullable<SiteGlance['protection']>;
type Traffic = NonNullable<SiteGlance['traffic']>;

const protectedBy = (state: Protection['state']): Protection => ({ state }) as Protection;
const answered = (requests: number, failed: number): Traffic =>
  ({ totals: { requests, statuses: { '5xx': failed } } }) as Traffic;

test('listConcerns names certificates, failing origins and sites without protection, and nothing else', () => {
  deepEqual(listConcerns(undefined, undefined, []), []);
  deepEqual(listConcerns(protectedBy('protected'), answered(1_000, 10), []), []);
  // A site without visitors has too few answers for a statement.
  deepEqual(listConcerns(protectedBy('not served'), answered(3, 3), []), []);
  deepEqual(listConcerns(protectedBy('not protected'), answered(200, 20), [{ state: 'expired' }]), [
    'certificate expired',
    '10 % of answers are errors',
    'nothing protects it',
  ]);
});

test('orderByConcern puts sites that need attention first, and leaves the order of the others', () => {
  const zones = ['a', 'b', 'c'].map((id) => ({ id }));
  const glance = (concerns: readonly string[]): SiteGlance => ({
    protection: undefined,
    traffic: undefined,
    concerns,
  });
  const glances = new Map([
    ['a', glance([])],
    ['c', glance(['paused'])],
  ]);
  deepEqual(
    orderByConcern(zones, glances).map(({ id }) => id),
    ['c', 'a', 'b'],
  );
});
