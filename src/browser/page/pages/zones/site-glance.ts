/** A site in a few facts: its protection, its traffic of the last day, and problems that need attention. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { accountQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import type { Zone } from '../../api/types.ts';

export interface SiteGlance {
  readonly protection: Result<'protection.get'> | undefined;
  readonly traffic: Result<'traffic.get'> | undefined;
  /** Problems that need attention, in words; most urgent first. */
  readonly concerns: readonly string[];
}

/** The most sites that are summarized; the others are found by name. */
const glancesMax = 30;

/** Edges report every ten seconds, but this page need not be accurate to the second. */
const readMs = 30_000;

/** From this share of failed answers on, the origin is reported. */
const failingShare = 0.05;
const failingRequestsMin = 20;

export function useGlances(zones: readonly Zone[]): ReadonlyMap<string, SiteGlance> {
  const shown = zones.slice(0, glancesMax);
  const protections = useQueries({
    queries: shown.map(({ id }) => ({
      ...read('/zones/{zone_id}/protection', { zone_id: id }),
      refetchInterval: readMs,
    })),
  });
  const traffics = useQueries({
    queries: shown.map(({ id }) => ({
      ...read('/zones/{zone_id}/traffic', { zone_id: id, query: { since: '24h', interval: '1h' } }),
      refetchInterval: readMs,
    })),
  });
  const certificates = useUrgentCertificates();
  return new Map(
    shown.map(({ id }, index) => {
      const protection = protections[index]?.data;
      const traffic = traffics[index]?.data;
      const urgent = certificates.filter((each) => each.zone_id === id);
      return [id, { protection, traffic, concerns: listConcerns(protection, traffic, urgent) }];
    }),
  );
}

type Certificate = Result<'certificates.list'>[number];

/** Those that need attention. */
export function useUrgentCertificates(): readonly Certificate[] {
  const { data: account } = useQuery(accountQuery);
  const { data = [] } = useQuery({
    ...read('/accounts/{account_id}/certificates', { account_id: account?.id ?? '-' }),
    enabled: account !== undefined,
  });
  return data.filter(({ state }) => state !== 'active' && state !== 'pending');
}

export function listConcerns(
  protection: SiteGlance['protection'],
  traffic: SiteGlance['traffic'],
  certificates: readonly Pick<Certificate, 'state'>[],
): readonly string[] {
  const concerns: string[] = certificates.map(({ state }) => `certificate ${state}`);
  const { requests = 0, statuses } = traffic?.totals ?? {};
  const failed = statuses?.['5xx'] ?? 0;
  if (requests >= failingRequestsMin && failed / requests >= failingShare)
    concerns.push(`${Math.round((100 * failed) / requests)} % of answers are errors`);
  if (protection?.state === 'paused') concerns.push('paused');
  if (protection?.state === 'not protected') concerns.push('nothing protects it');
  return concerns;
}

/** Sites with problems first, otherwise in the same order. */
export function orderByConcern<Site extends Pick<Zone, 'id'>>(
  zones: readonly Site[],
  glances: ReadonlyMap<string, SiteGlance>,
): readonly Site[] {
  const rank = ({ id }: Site): number => (glances.get(id)?.concerns.length ? 0 : 1);
  return zones.toSorted((one, other) => rank(one) - rank(other));
}
