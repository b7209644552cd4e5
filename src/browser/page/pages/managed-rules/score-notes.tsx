/** Why scores do not act as their settings say: the server's notes in the answer with the settings. */
import { Link } from '@tanstack/react-router';
import type { ErrorEntry } from '#client';
import { useZoneId } from '../../api/queries.ts';
import { toSentence } from '../migration/advice.ts';

const unconfirmedCode = 11011;
const notInstalledCode = 1028;

export function ScoreNotes({ notes = [] }: { readonly notes: readonly ErrorEntry[] | undefined }) {
  const zoneId = useZoneId();
  return notes
    .filter(({ code }) => code === unconfirmedCode || code === notInstalledCode)
    .map(({ code, message }) => (
      <p key={code} className="note">
        {toSentence(message)}{' '}
        {code === notInstalledCode ? (
          <>
            Install them on the server: <code>gatehouse crs install</code>
          </>
        ) : (
          <Link to="/zones/$zoneId/settings" params={{ zoneId }}>
            Open settings
          </Link>
        )}
      </p>
    ));
}
