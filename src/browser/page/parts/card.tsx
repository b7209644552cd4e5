import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

interface CardProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Card({ title, actions, children, className }: CardProps) {
  return (
    <section className={joinClasses('card', className)}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
