/** The states of a page without content: loading, empty, failed. Each explains what to do next. */
import type { ReactNode } from 'react';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../button.tsx';
import { Command } from './command.tsx';

/** Occupies the space of the content, so that the layout is stable when it arrives. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="loading-row" />
      ))}
    </div>
  );
}

interface MessageProps {
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
}

/** Replaces an empty search result, or something impossible. */
export function Message({ title, children }: MessageProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}

interface EmptyProps extends MessageProps {
  /** The equivalent terminal command. */
  readonly command: string;
}

/** Replaces something that the user could create, but has not. */
export function Empty({ title, children, command }: EmptyProps) {
  return (
    <Message title={title}>
      {children}
      <Command text={command} />
    </Message>
  );
}

export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <div className="state state-failed" role="alert">
      <p className="state-title">
        {isForbidden ? 'Your token does not allow this' : 'This could not be loaded'}
      </p>
      <p>{describeError(error)}</p>
      {isForbidden && <p>Add the permission to the token, or sign in with another one.</p>}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
