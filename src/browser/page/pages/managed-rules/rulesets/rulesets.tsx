/** Managed rulesets of a zone: all of them with the exceptions, or an open one. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { entryPointQuery } from '../../../api/managed/entry-point.ts';
import { useZoneId } from '../../../api/queries.ts';
import { Resource } from '../../../parts/reading/resource.tsx';
import { together } from '../../../parts/reading/together.ts';
import { Message } from '../../../parts/reading/states.tsx';
import { Exceptions } from '../exceptions/exceptions.tsx';
import { rulesetsQuery } from '../ruleset-api.ts';
import { RulesetDetail } from './ruleset-detail.tsx';
import { RulesetList } from './ruleset-list.tsx';

export function Rulesets() {
  const zoneId = useZoneId();
  const { ruleset: openId } = useSearch({ from: '/signed-in/zones/$zoneId/managed-rules' });
  const known = together({
    rulesets: useQuery(rulesetsQuery(zoneId)),
    entryPoint: useQuery(entryPointQuery(zoneId)),
  });
  return (
    <Resource of={known} rows={8}>
      {({ rulesets, entryPoint }) => {
        const ruleset = rulesets.find(({ id }) => id === openId);
        if (ruleset !== undefined) return <RulesetDetail key={openId} {...{ ruleset, entryPoint }} />;
        if (openId !== undefined)
          return (
            <Message title="This site has no such managed ruleset">
              It may need a larger plan. Open Managed rules again to see those it has.
            </Message>
          );
        return (
          <>
            <RulesetList {...{ rulesets, entryPoint }} />
            <Exceptions {...{ rulesets, entryPoint }} />
          </>
        );
      }}
    </Resource>
  );
}
