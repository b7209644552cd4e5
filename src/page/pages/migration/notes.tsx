/** Refusals, obstacles and losses: what each is, what the server says, what to do. */
import { Link } from '@tanstack/react-router';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { findAdvice, toSentence } from './advice.ts';
import type { Note } from './migration-api.ts';

export function NoteList({ zoneId, notes }: { readonly zoneId: string; readonly notes: readonly Note[] }) {
  return (
    <ul className="migration-notes">
      {notes.map((note, index) => (
        <li key={index} className="migration-note">
          <NoteText zoneId={zoneId} note={note} />
        </li>
      ))}
    </ul>
  );
}

export function NoteText({
  zoneId,
  note: { code, message },
}: {
  readonly zoneId: string;
  readonly note: Note;
}) {
  const known = findAdvice(code);
  return (
    <>
      <h3>
        {known?.title ?? toSentence(message)} <span className="migration-code">{code}</span>
      </h3>
      {known !== undefined && <p className="migration-said">{toSentence(message)}</p>}
      {known !== undefined && (
        <p>
          {known.advice}{' '}
          {known.mendedAt !== undefined && (
            <Link to={`/zones/$zoneId${known.mendedAt}`} params={{ zoneId }}>
              {pageNames[known.mendedAt]}
            </Link>
          )}
        </p>
      )}
    </>
  );
}

const pageNames = {
  '/firewall-rules': 'Open firewall rules',
  '/page-rules': 'Open page rules',
  '/managed-rules': 'Open managed rules',
  '/settings': 'Open settings',
} as const;

/** Why the server did not do it. */
export function Refused({ zoneId, error }: { readonly zoneId: string; readonly error: unknown }) {
  return (
    <div className="migration-refused" role="alert">
      {error instanceof ApiError && error.errors.length > 0 ? (
        <NoteList zoneId={zoneId} notes={error.errors} />
      ) : (
        <p>{describeError(error)}</p>
      )}
    </div>
  );
}
