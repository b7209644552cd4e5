/** The request as it was sent, with the rule's matches marked. */
import { Fragment } from 'react';
import type { Explained } from './explained.ts';
import { addressOf } from './copy-as-curl.ts';
import { markAddress } from './mark-request.ts';

/** Further ones are not informative. */
const partsMax = 4;

export function SentRequest({ explained: { event, found } }: { readonly explained: Explained }) {
  const parts = found
    .filter(({ where }) => where !== undefined && where.kind !== 'path' && where.kind !== 'argument')
    .slice(0, partsMax);
  return (
    <div className="block mono" role="region" aria-label="The request">
      {event.clientRequestHTTPMethodName}{' '}
      {markAddress(addressOf(event), found).map(({ text, isMarked }, index) =>
        isMarked ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
      )}
      {parts.map(({ where, text }, index) => (
        <div key={index}>
          <span className="soft">
            {where!.kind} {where!.name}:{' '}
          </span>
          <mark>{text}</mark>
        </div>
      ))}
    </div>
  );
}
