/** The address of the application; the server probes it while the user types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, resultOf } from '../../api/client.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteForm } from '../../parts/forms/form.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { StatePill } from '../../parts/pill.tsx';
import { originPattern, toOrigin } from '../origins.ts';

export function OriginStep({ zoneId }: { readonly zoneId: string }) {
  return (
    <WriteForm
      action="Protect this site"
      initial={{ url: '' }}
      write={({ url }) => {
        const body = { origin: toOrigin(url.trim(), {}), plan: 'pro' as const };
        return resultOf(client.post('/zones/{zone_id}/protection', { zone_id: zoneId, body }));
      }}
      done="The site is protected"
      failed="The site is not protected yet:"
      isIncomplete={({ url }) => url.trim() === ''}
    >
      {(bind, { url }) => (
        <>
          <TextField
            label="Where is your application?"
            hint="Requests that pass are sent there. The managed rules of the Pro plan check them first."
            placeholder="http://127.0.0.1:3000"
            type="url"
            required
            pattern={originPattern}
            {...bind('url')}
          />
          <OriginCheck zoneId={zoneId} url={url.trim()} />
        </>
      )}
    </WriteForm>
  );
}

function OriginCheck({ zoneId, url }: { readonly zoneId: string; readonly url: string }) {
  const settled = useSettled(url);
  const { data, isFetching } = useQuery({
    queryKey: ['zones', zoneId, 'origin-check', settled],
    queryFn: () =>
      resultOf(
        client.post('/zones/{zone_id}/protection/origin_check', { zone_id: zoneId, body: { url: settled } }),
      ),
    enabled: /^https?:\/\/./.test(settled),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  const isSettled = url === settled && !isFetching;
  return (
    <p role="status" className="row">
      {url !== '' && data !== undefined && isSettled && (
        <>
          <StatePill isOn={data.answers} words={['reachable', 'not reachable']} off="warn" />
          <span>{data.sentence}</span>
        </>
      )}
      {/^https?:\/\/./.test(url) && !isSettled && <span className="soft">Checking …</span>}
    </p>
  );
}
