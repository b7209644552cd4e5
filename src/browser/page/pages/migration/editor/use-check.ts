/** The server's check of a configuration, requested shortly after the last key press. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EntryRule } from '../../../api/managed/entry-point.ts';
import { useZoneId } from '../../../api/queries.ts';
import { useSettled } from '../../../parts/forms/use-settled.ts';
import { sendConfiguration, type MigrationStep } from '../migration-api.ts';

export function useCheck(configuration: readonly EntryRule[] | undefined, to: MigrationStep['to']) {
  const zoneId = useZoneId();
  // The text identifies it, so that it does not change on each render.
  const text = configuration && JSON.stringify(configuration);
  const settled = useSettled(text);
  const check = useQuery({
    queryKey: ['zones', zoneId, 'dry-run', to, settled],
    queryFn: () => sendConfiguration(zoneId, JSON.parse(settled!), { to, isDryRun: true }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return {
    notes: check.data?.notes ?? [],
    error: settled === undefined ? null : check.error,
    /** The answer is for this configuration, and it is accepted. */
    isAccepted: check.isSuccess && !check.isPlaceholderData && settled === text,
    isChecking: check.isFetching || settled !== text,
    retry: () => void check.refetch(),
  };
}

export type Check = ReturnType<typeof useCheck>;
