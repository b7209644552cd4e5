/** Certificates that somebody has to look after, of all sites. Nothing if there is none. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Pill } from '../../parts/pill.tsx';
import { Time } from '../../parts/time.tsx';
import { stateSentences, stateTones } from '../certificates/certificate-state.ts';

const shownMax = 10;

export function UrgentCertificates() {
  const { data: account } = useQuery(accountQuery);
  return account === undefined ? null : <Warnings accountId={account.id} />;
}

function Warnings({ accountId }: { readonly accountId: string }) {
  const { data = [] } = useQuery(read('/accounts/{account_id}/certificates', { account_id: accountId }));
  const urgent = data.filter(({ state }) => state !== 'active' && state !== 'pending');
  if (urgent.length === 0) return null;
  return (
    <div className="note note-warn stack-close" role="alert">
      {urgent.slice(0, shownMax).map(({ id, zone_id, zone_name, state, expires_on, problem }) => (
        <div key={id} className="row">
          <Pill tone={stateTones[state]}>{state}</Pill>
          <span>
            The certificate of{' '}
            <Link to="/zones/$zoneId/certificates" params={{ zoneId: zone_id }}>
              {zone_name}
            </Link>
            {expires_on !== null && (
              <>
                {' '}
                (expires <Time at={expires_on} isRelative />)
              </>
            )}
            : {problem ?? stateSentences[state]}
          </span>
        </div>
      ))}
    </div>
  );
}
