/** Managed rulesets of a zone: all of them with the exceptions, or one that is open. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Zone } from '../../../api/types.ts';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { Exceptions } from '../exceptions/exceptions.tsx';
import { entryPointQuery, rulesetsQuery } from '../ruleset-api.ts';
import { RulesetDetail } from './ruleset-detail.tsx';
import { RulesetList } from './ruleset-list.tsx';

export function Rulesets({ zone }: { readonly zone: Zone }) {
  const { ruleset: openId } = useSearch({ from: '/signed-in/zones/$zoneId/managed-rules' });
  const rulesets = useQuery(rulesetsQuery(zone.id));
  const entryPoint = useQuery(entryPointQuery(zone.id));
  const failed = rulesets.isLoadingError ? rulesets : entryPoint.isLoadingError ? entryPoint : undefined;
  if (failed !== undefined) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (rulesets.data === undefined || entryPoint.data === undefined) return <Loading rows={8} />;
  const known = { zone, rulesets: rulesets.data, entryPoint: entryPoint.data };
  if (openId === undefined) {
    return (
      <>
        <RulesetList {...known} />
        <Exceptions {...known} />
      </>
    );
  }
  const ruleset = rulesets.data.find(({ id }) => id === openId);
  if (ruleset === undefined) {
    return (
      <Empty title="This site has no such managed ruleset">
        <p>It may need a larger plan. Open Managed rules again to see those it has.</p>
      </Empty>
    );
  }
  return <RulesetDetail key={openId} zone={zone} ruleset={ruleset} entryPoint={entryPoint.data} />;
}
