/** Refusals, obstacles and losses: each with the server's message and the remedy. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { useZoneId } from '../../api/queries.ts';
import { findAdvice, toSentence } from './advice.ts';
import type { Note } from './migration-api.ts';

interface NoteListProps {
  readonly notes: readonly Note[];
  /** The content below a note. */
  readonly children?: (note: Note) => ReactNode;
}

export function NoteList({ notes, children }: NoteListProps) {
  return (
    <ul className="list migration-notes">
      {notes.map((note, index) => (
        <li key={index} className="migration-note">
          <NoteText note={note} />
          {children?.(note)}
        </li>
      ))}
    </ul>
  );
}

function NoteText({ note: { code, message } }: { readonly note: Note }) {
  const zoneId = useZoneId();
  const known = findAdvice(code);
  return (
    <>
      <h3>
        {known?.title ?? toSentence(message)} <span className="soft small">{code}</span>
      </h3>
      {known !== undefined && (
        <>
          <p className="soft">{toSentence(message)}</p>
          <p>
            {known.advice}{' '}
            {known.mendedAt !== undefined && (
              <Link to={`/zones/$zoneId${known.mendedAt}`} params={{ zoneId }}>
                {pageNames[known.mendedAt]}
              </Link>
            )}
          </p>
        </>
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

/** Why the server refused. */
export function Refused({ error }: { readonly error: unknown }) {
  return (
    <div className="box card-danger wrap" role="alert">
      {error instanceof ApiError && error.errors.length > 0 ? (
        <NoteList notes={error.errors} />
      ) : (
        <p>{describeError(error)}</p>
      )}
    </div>
  );
}
