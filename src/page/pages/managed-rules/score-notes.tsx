/** Why scores do not act as their settings say: what the server adds to the answer that shows the settings. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { toSentence } from '../migration/advice.ts';

const unconfirmedCode = 11011;
const notInstalledCode = 1028;

interface ScoreNotesProps {
  readonly zoneId: string;
  /** Of the resource with the settings: what follows `/zones/{id}`. */
  readonly path: string;
}

export function ScoreNotes({ zoneId, path }: ScoreNotesProps) {
  const notes = useQuery({
    // Read again with the rules and with everything about the migration.
    queryKey: ['zones', zoneId, 'migration', 'score-notes', path],
    queryFn: async ({ signal }) =>
      (await client.ask('GET', `/zones/${zoneId}${path}`, { signal })).messages.filter(
        ({ code }) => code === unconfirmedCode || code === notInstalledCode,
      ),
  });
  return notes.data?.map(({ code, message }) => (
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
