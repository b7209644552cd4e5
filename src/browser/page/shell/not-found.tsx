/** Shown for a page that does not exist, or could not be loaded: what happened, and where to go next. */
import { Link } from '@tanstack/react-router';
import { getProgram } from '../api/session.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Failed, Message } from '../parts/reading/states.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHead title="There is no such page" />
      <Message title="Nothing is at this address">
        <WayOut />
      </Message>
    </>
  );
}

interface FailedPageProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function FailedPage({ error, onRetry }: FailedPageProps) {
  return (
    <div className="stack">
      <PageHead title="This page cannot be shown" />
      <Failed error={error} onRetry={onRetry} />
      <WayOut />
    </div>
  );
}

function WayOut() {
  return <Link to="/">{getProgram() === 'dev' ? 'All objects' : 'All sites'}</Link>;
}
