/** A table that is scrolled sideways where it is wider than the page, also by keyboard. */
import type { ReactNode } from 'react';

interface TableProps {
  /** What it is a table of, for screen readers. */
  readonly label: string;
  /** Of the frame, beside its own. */
  readonly className?: string;
  readonly children: ReactNode;
}

export function Table({ label, className, children }: TableProps) {
  return (
    <div className={`table-frame ${className ?? ''}`.trimEnd()} tabIndex={0} role="region" aria-label={label}>
      <table className="table">{children}</table>
    </div>
  );
}
