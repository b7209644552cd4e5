/** The server's opinion of a configuration, asked shortly after the last key was pressed. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSettled } from '../../../parts/use-settled.ts';
import type { ConfiguredRule } from './configuration.ts';
import { migrationKey, sendConfiguration, type Step } from '../migration-api.ts';

export function useCheck(
  zoneId: string,
  configuration: readonly ConfiguredRule[] | undefined,
  to: Step['to'],
) {
  const settled = useSettled(configuration);
  const check = useQuery({
    queryKey: [...migrationKey(zoneId), 'dry-run', to, settled],
    queryFn: () => sendConfiguration(zoneId, settled!, { to, isDryRun: true }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return {
    notes: check.data?.notes ?? [],
    error: settled === undefined ? null : check.error,
    /** The answer is about this configuration, and it is accepted. */
    isAccepted: check.isSuccess && !check.isPlaceholderData && settled === configuration,
    isChecking: check.isFetching || settled !== configuration,
    retry: () => void check.refetch(),
  };
}

export type Check = ReturnType<typeof useCheck>;
