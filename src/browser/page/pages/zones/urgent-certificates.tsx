/** Certificates of all sites that need attention. Empty if there are none. */
import { Link } from '@tanstack/react-router';
import { Pill } from '../../parts/pill.tsx';
import { Time } from '../../parts/time.tsx';
import { stateSentences, stateTones } from '../certificates/certificate-state.ts';
import { useUrgentCertificates } from './site-glance.ts';

const shownMax = 10;

export function UrgentCertificates() {
  const urgent = useUrgentCertificates();
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
