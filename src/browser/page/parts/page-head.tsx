import type { ReactNode } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** One sentence: the purpose of the page. */
  readonly about?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

export function PageHead({ title, about, children }: PageHeadProps) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p className="page-about">{about}</p>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  );
}
